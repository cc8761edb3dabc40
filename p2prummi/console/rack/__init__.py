"""One's own rack."""
