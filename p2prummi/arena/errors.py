"""What can go wrong in the arena itself; a strategy that fails is no error, but counted."""

from __future__ import annotations

from p2prummi.errors import P2PRummiError


class ArenaError(P2PRummiError):
    """A plan that can't be played, or workers that can't play it; says what to change."""
