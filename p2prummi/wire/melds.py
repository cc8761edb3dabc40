"""Melds and turns as they travel: from the rules' values to tile numbers, and back with every refusal named.

A meld has one form on the wire: its kind, then its tiles' numbers in canonical order. Another form of the
same meld is refused; putting what people type into that form is the input layer's work.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import Group, Meld, MeldError, Run, TileSet
from p2prummi.wire.events import WireMeld

_KINDS: tuple[type[Group | Run], ...] = (Group, Run)


def meld_to_wire(meld: Meld, tile_set: TileSet) -> WireMeld:
    """Returns the form in which `meld` travels."""
    return _KINDS.index(type(meld)), tuple(tile_set.number(tile) for tile in meld.tiles)


def meld_from_wire(wire: WireMeld, tile_set: TileSet) -> Meld:
    """Returns the meld that travelled.

    Raises RemoteProtocolError: illegal_turn for what is no meld in canonical form.
    """
    kind, numbers = wire
    if any(number >= tile_set.size for number in numbers):
        raise RemoteProtocolError(FaultCode.ILLEGAL_TURN, f"a tile number of {tile_set.size} or more")
    try:
        return _KINDS[kind](tuple(tile_set.tile(number) for number in numbers))
    except MeldError as error:
        raise RemoteProtocolError(FaultCode.ILLEGAL_TURN, str(error)) from error


def table_to_wire(melds: Iterable[Meld], tile_set: TileSet) -> tuple[WireMeld, ...]:
    """Returns a whole table in the form in which it travels, its melds in the order given."""
    return tuple(meld_to_wire(meld, tile_set) for meld in melds)


def table_from_wire(wires: Sequence[WireMeld], tile_set: TileSet) -> tuple[Meld, ...]:
    """Returns the table that travelled.

    Raises RemoteProtocolError: illegal_turn, also for a tile that lies there twice.
    """
    numbers = [number for _, tiles in wires for number in tiles]
    if len(set(numbers)) != len(numbers):
        raise RemoteProtocolError(FaultCode.ILLEGAL_TURN, "a tile lies on the table twice")
    return tuple(meld_from_wire(wire, tile_set) for wire in wires)
