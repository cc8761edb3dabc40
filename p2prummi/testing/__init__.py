"""The public test kit: whole peers in one process and one thread, deterministic from a seed."""
