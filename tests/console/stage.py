"""A stage for the console's tests: games and notices from a few words, as a session would give them."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from p2prummi.console.model import ConsoleModel, after_notice
from p2prummi.console.people import People
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.sightings import PeerSighting, RoomFacts, RoomSighting, Status
from p2prummi.rules import Game, Meld, Play, Ruleset, Tile, meld_from, parse_tiles, score_round
from p2prummi.rules.start import Starting
from p2prummi.session import notices
from p2prummi.transcript.phases import Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2prummi.net.driver import AnyNotice
    from p2prummi.rules import Turn
    from p2prummi.transcript.agreement import Match

NAMES = ("Ana", "Björn", "Chloé", "Dieter", "Eva", "Finn")
KEYS = tuple(bytes([65 + seat]) * 32 for seat in range(6))


def tiles(text: str, taken: Sequence[Tile] = ()) -> tuple[Tile, ...]:
    return parse_tiles(text, taken)


def table_of(*melds: str) -> tuple[Meld, ...]:
    """Melds from texts; equal tiles are copies 0, 1 and so on, over the whole table."""
    made: list[Meld] = []
    for text in melds:
        taken = [tile for meld in made for tile in meld.tiles]
        made.append(meld_from(parse_tiles(text, taken)))
    return tuple(made)


def table_tiles(table: Sequence[Meld]) -> list[Tile]:
    return [tile for meld in table for tile in meld.tiles]


def game_of(
    *melds: str,
    players: int = 3,
    to_move: int = 0,
    opened: bool | tuple[bool, ...] = True,
    pool: int = 40,
    ruleset: Ruleset | None = None,
) -> Game:
    return Game(
        ruleset=ruleset or Ruleset(),
        players=players,
        table=table_of(*melds),
        opened=(opened,) * players if isinstance(opened, bool) else opened,
        rack_sizes=(14, 9, 11, 8, 3, 21)[:players],
        pool_left=pool,
        to_move=to_move,
        drawn_last=(None,) * players,
    )


def rack_of(text: str, game: Game) -> tuple[Tile, ...]:
    return parse_tiles(text, table_tiles(game.table))


def match_of(players: int = 3, ruleset: Ruleset | None = None, names: Sequence[str] = NAMES) -> Match:
    """As much of a match as a console looks at."""
    match = SimpleNamespace(
        keys=KEYS[:players],
        names=tuple(names[:players]),
        players=players,
        ruleset=ruleset or Ruleset(),
        id=bytes(32),
    )
    return cast("Match", match)


def room_of(
    players: int = 3, *, seats: int | None = None, ready: Sequence[int] = (), ruleset: Ruleset | None = None
) -> notices.RoomUpdated:
    return notices.RoomUpdated(
        room_id=b"r" * 32,
        name="Attic",
        ruleset=ruleset or Ruleset(),
        seats=seats or players,
        members=tuple(
            notices.Member(
                key=KEYS[seat],
                name=NAMES[seat],
                ready=seat in ready,
                is_self=seat == 0,
                is_opener=seat == 0,
            )
            for seat in range(players)
        ),
    )


def started(
    players: int = 3, ruleset: Ruleset | None = None, names: Sequence[str] = NAMES
) -> list[AnyNotice]:
    """The notices up to a match's start, one's own seat being 0."""
    joined = [notices.PeerJoined(KEYS[seat], names[seat]) for seat in range(1, players)]
    match = match_of(players, ruleset, names)
    return [room_of(players, ruleset=ruleset), *joined, notices.MatchStarted(match=match, seat=0)]


def turn_of(game: Game, rack: Sequence[Tile], sequence: int = 20) -> notices.TurnStarted:
    return notices.TurnStarted(
        round_number=1,
        sequence=sequence,
        seat=game.to_move,
        mine=game.to_move == 0,
        game=game,
        rack=tuple(rack),
    )


def dealt(game: Game, rack: Sequence[Tile]) -> list[AnyNotice]:
    """The notices from the deal to the first turn."""
    return [
        notices.PhaseProgress(round_number=1, phase=Phase.DEAL, seats_done=()),
        notices.DeckVerified(
            round_number=1, proofs=game.players * 2, tiles=106, starting=Starting(seat=game.to_move)
        ),
        notices.Dealt(round_number=1, rack=tuple(rack), game=game),
        turn_of(game, rack),
    ]


def taken(game: Game, after: Game, turn: Turn, *, seat: int) -> notices.TurnTaken:
    before = set(table_tiles(game.table))
    return notices.TurnTaken(
        round_number=1,
        sequence=21,
        seat=seat,
        turn=turn,
        laid=tuple(tile for tile in table_tiles(after.table) if tile not in before),
        game=after,
        head=bytes(32),
    )


def after_lay(game: Game, *melds: str, to_move: int) -> tuple[Game, notices.TurnTaken]:
    """Another's turn that leaves these melds; tiles that lay there keep their copies."""
    after = replace(game, table=table_of(*melds), to_move=to_move, turn_number=game.turn_number + 1)
    return after, taken(game, after, Play(after.table), seat=game.to_move)


def console(*told: AnyNotice, **fields: Any) -> ConsoleModel:
    """The console's state after these notices."""
    model = ConsoleModel(people=People(own_key=KEYS[0]).met(KEYS[0], NAMES[0]), **fields)
    for notice in told:
        model = after_notice(model, notice)
    return model


def round_ended(
    why: str = "all_passed",
    *,
    winner: int | None = None,
    racks: Sequence[str] = ("R4 K9 J", "", "B1 B2"),
    ruleset: Ruleset | None = None,
    opened: Sequence[bool] = (True, True, True),
    match_over: bool = True,
) -> notices.RoundEnded:
    rules = ruleset or Ruleset()
    held = tuple(parse_tiles(rack) for rack in racks)
    scores = score_round(rules, racks=held, opened=opened, winner=winner, next_seat=0)
    return notices.RoundEnded(
        round_number=1,
        why=why,
        racks=held,
        scores=scores,
        totals=scores.points,
        head=bytes(32),
        match_over=match_over,
    )


def match_ended(
    reason: notices.MatchEnd = notices.MatchEnd.FINISHED,
    *,
    winners: tuple[int, ...] = (1,),
    text: str = "",
    players: int = 3,
) -> notices.MatchEnded:
    return notices.MatchEnded(
        reason=reason,
        match=match_of(players),
        totals=(0,) * players,
        winners=winners,
        head=bytes(32),
        transcript=b"transcript",
        peer=None,
        text=text,
    )


def sighting_of(
    name: str,
    *,
    room: bytes = b"r" * 32,
    state: Any = "open",
    taken_seats: int = 1,
    code_required: bool = False,
    compatible: bool = True,
    status: Status = Status.LIVE,
    rules: str = "official",
    rules_hash: bytes = b"",
) -> RoomSighting:
    facts = RoomFacts(
        room_id=room,
        name=name,
        opener=fingerprint(KEYS[1]),
        ruleset_name=rules,
        ruleset_hash=rules_hash,
        seats_taken=taken_seats,
        seats=4,
        state=state,
        code_required=code_required,
    )
    member = PeerSighting(
        key=KEYS[1],
        name=NAMES[1],
        program="p2prummi",
        versions=(1,) if compatible else (7, 9),
        compatible=compatible,
        addresses=(),
        room=facts,
        status=status,
    )
    return RoomSighting(facts=facts, members=(member,))
