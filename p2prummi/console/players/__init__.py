"""The players: tiles left, opened or not, totals, and who is away."""
