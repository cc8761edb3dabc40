"""Whether melds on a table are legal and in their one form (events.md, "Tiles and melds")."""

from collections.abc import Sequence

from verifier.refusal import require

GROUP, RUN = 0, 1
NUMBERS = 13
COLOURS = 4
LEAST_TILES = 3

Meld = tuple[int, Sequence[int]]


def check_table(copies: int, jokers: int, melds: Sequence[Meld]) -> None:
    """Every tile is of the set and lies once; every meld is a group or run in its canonical order."""
    first_joker = NUMBERS * COLOURS * copies
    lying = [tile for _, tiles in melds for tile in tiles]
    _legal(all(0 <= tile < first_joker + jokers for tile in lying))
    _legal(len(set(lying)) == len(lying))
    for kind, tiles in melds:
        _legal(_is_group(tiles, first_joker) if kind == GROUP else _is_run(tiles, first_joker))


def _legal(holds: bool) -> None:
    require(holds, "illegal_turn", layer="rules")


def number(tile: int) -> int:
    """The number of a number tile."""
    return tile % NUMBERS + 1


def colour(tile: int) -> int:
    """The colour of a number tile, by its place in their order."""
    return tile // NUMBERS % COLOURS


def _is_group(tiles: Sequence[int], first_joker: int) -> bool:
    """Equal numbers in ascending colours, then jokers ascending; at least one tile carries the number."""
    plain = [tile for tile in tiles if tile < first_joker]
    rest = list(tiles[len(plain) :])
    colours = [colour(tile) for tile in plain]
    return (
        LEAST_TILES <= len(tiles) <= COLOURS
        and len({number(tile) for tile in plain}) == 1
        and colours == sorted(set(colours))
        and list(tiles) == plain + sorted(rest)
    )


def _is_run(tiles: Sequence[int], first_joker: int) -> bool:
    """Ascending numbers of one colour from 1 to 13 at most, jokers in the places of what they stand for."""
    plain = [(place, tile) for place, tile in enumerate(tiles) if tile < first_joker]
    starts = {number(tile) - place for place, tile in plain}
    if len(tiles) < LEAST_TILES or len(starts) != 1 or len({colour(tile) for _, tile in plain}) != 1:
        return False
    start = starts.pop()
    return start >= 1 and start + len(tiles) - 1 <= NUMBERS
