"""The setup of a round: how far shuffling and dealing are, and what was verified."""
