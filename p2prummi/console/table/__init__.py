"""The table: its melds as they lie, one's draft on it, and what the last turn changed."""
