"""A match's agreement, the signed chain of its rounds, and `replay`, which alone decides what is accepted."""
