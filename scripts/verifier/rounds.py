"""A round, slot by slot: who fills a slot, what must be proved, what follows (session.md, "A round").

A state never changes: each slot leads to a new one, so that every prefix of a round can be gone on from.
"""

# The letters are those of the specification.
# ruff: noqa: N806

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from verifier import deck, keys, shuffle, turns
from verifier.ed25519 import check_signature
from verifier.group import G, Point, read_points, read_secret, total
from verifier.hashing import CoinDraws
from verifier.messages import Round, blob, head_after, head_before_first, read_event, state_hash
from verifier.refusal import blaming, require
from verifier.schema import Json

KINDS = {
    "commit": {"commit"},
    "reveal": {"reveal"},
    "shuffle": {"shuffle"},
    "prove": {"prove"},
    "deal": {"deal"},
    "play": {"play", "draw", "pass"},
    "draw_share": {"draw_share"},
    "settle": {"settle"},
    "result": {"result"},
    "done": set(),
}


@dataclass(frozen=True)
class Event:
    """One event of a step, read."""

    body: bytes
    signature: bytes
    fields: Json

    @property
    def seat(self) -> int:
        """Who signed it."""
        return int(self.fields[4])

    def blob(self, place: int) -> bytes:
        """The bytes of one of its own fields."""
        return blob(self.fields[5 + place])


@dataclass(frozen=True)
class State:
    """Where a round stands before one of its slots."""

    round: Round
    head: bytes
    phase: str = "commit"
    sequence: int = 0
    commitments: Mapping[int, bytes] = field(default_factory=dict)
    publics: tuple[bytes, ...] = ()
    coin: bytes = b""
    game: turns.Game | None = None
    decks: tuple[deck.Deck, ...] = ()
    shuffle_heads: tuple[bytes, ...] = ()
    dealt: tuple[int, ...] = ()  # Who gets each index, known with the starter.
    holders: tuple[int, ...] = ()  # The same once the decks are proved, and for what is drawn.
    shares: Mapping[tuple[int, int], Point] = field(default_factory=dict)  # By index and seat.
    laid: Mapping[int, int] = field(default_factory=dict)  # The tile of each index that was laid.
    drawer: int = -1
    racks: tuple[tuple[int, ...], ...] = ()
    points: tuple[int, ...] = ()

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.round.keys)

    @property
    def rules(self) -> turns.Rules:
        """The ruleset."""
        if not isinstance(self.round.ruleset, dict):
            raise TypeError
        return self.round.ruleset

    def playing(self) -> turns.Game:
        """The game, which there is from the reveal on."""
        if self.game is None:
            raise TypeError
        return self.game

    def hash(self) -> bytes:
        """What acknowledgements of the slot before vouch for."""
        return state_hash(
            [
                self.phase,
                self.sequence,
                {"blob": self.head.hex()},
                [{"blob": public.hex()} for public in self.publics],
                {"blob": self.coin.hex()},
                [] if self.game is None else {"map": self.game.written()},
                list(self.holders),
                [[index, tile] for index, tile in sorted(self.laid.items())],
                list(self.points),
            ]
        )


def begin(within: Round) -> State:
    """A round before its first slot."""
    return State(within, head_before_first(within.context))


def advance(state: State, step: Sequence[tuple[bytes, bytes]]) -> State:
    """Judge the events of a step, each alone and then together; give the state after it."""
    given = [Event(body, signature, read_event(body)) for body, signature in step]
    events = sorted(given, key=lambda event: event.seat)
    for event in events:
        _check_alone(state, event)
    after = STEPS[state.phase](state, events)
    head = head_after(state.head, [event.body for event in events])
    if state.phase == "shuffle":
        after = replace(after, shuffle_heads=(*after.shuffle_heads, head))
    return replace(after, head=head, sequence=state.sequence + 1)


def _filled_by(state: State) -> set[int]:
    """The seats whose events fill the next slot."""
    match state.phase:
        case "shuffle":
            return {len(state.decks) - 1}
        case "play":
            return {state.playing().to_move}
        case "draw_share":
            return set(range(state.seats)) - {state.drawer}
        case "done":
            return set()
    return set(range(state.seats))


def _check_alone(state: State, event: Event) -> None:
    """What can be said of an event before its content is looked at."""
    kind, context, sequence, prev, seat, *_ = event.fields
    require(blob(context) == state.round.context, "wrong_context", layer="transcript")
    require(seat < state.seats, "wrong_seat", layer="transcript")
    check_signature(state.round.keys[seat], "sign event", event.body, event.signature, layer="transcript")
    expected = state.shuffle_heads[seat] if state.phase == "prove" else state.head
    with blaming(seat):
        require(sequence == state.sequence, "wrong_sequence", layer="transcript")
        require(blob(prev) == expected, "wrong_head", layer="transcript")
        require(seat in _filled_by(state), "out_of_turn", layer="transcript")
        require(kind in KINDS[state.phase], "wrong_phase", layer="transcript")


def _proof_context(state: State, event: Event) -> bytes:
    """What a proof in an event is bound to: the round, and the head that the event builds on."""
    return state.round.context + blob(event.fields[3])


def _commit(state: State, events: Sequence[Event]) -> State:
    return replace(state, phase="reveal", commitments={event.seat: event.blob(0) for event in events})


def _reveal(state: State, events: Sequence[Event]) -> State:
    context = state.round.context
    for event in events:
        public, proof, coin = (event.blob(place) for place in range(3))
        with blaming(event.seat):
            commitment = state.commitments[event.seat]
            keys.check_commitment(context, event.seat, commitment, public, proof, coin)
            keys.check_key_proof(context, event.seat, public, proof)
    publics = tuple(event.blob(0) for event in events)
    Y = keys.joint_key(publics)
    coin = keys.joint_coin(context, [event.blob(2) for event in events])
    first = turns.starter(state.rules, state.seats, CoinDraws(coin).below)
    size = turns.tiles_of_set(state.rules)
    return replace(
        state,
        phase="shuffle",
        publics=publics,
        coin=coin,
        game=turns.begin(state.rules, state.seats, first),
        dealt=turns.dealt_to(state.rules, state.seats, first),
        decks=(deck.read_deck(deck.first_deck(Y, size), size),),
    )


def _shuffle(state: State, events: Sequence[Event]) -> State:
    (event,) = events
    with blaming(event.seat):
        shuffled = deck.read_deck(event.blob(0), turns.tiles_of_set(state.rules))
    decks = (*state.decks, shuffled)
    return replace(state, decks=decks, phase="prove" if len(decks) > state.seats else "shuffle")


def _prove(state: State, events: Sequence[Event]) -> State:
    Y = keys.joint_key(state.publics)
    proofs = []
    for event in events:
        with blaming(event.seat):
            proofs.append(shuffle.read_proof(event.blob(0), turns.tiles_of_set(state.rules)))
    for event, proof in zip(events, proofs, strict=True):
        before, after = state.decks[event.seat : event.seat + 2]
        with blaming(event.seat):
            shuffle.check_shuffle(_proof_context(state, event), event.seat, Y, before, after, proof)
    return replace(state, phase="deal", holders=state.dealt)


def _with_shares(state: State, event: Event, indices: Sequence[int], shares: bytes, proof: bytes) -> State:
    """The state that holds the shares of an event too, if they are good."""
    context, public = _proof_context(state, event), state.publics[event.seat]
    deck.check_shares(context, public, state.decks[-1], indices, shares, proof)
    given = read_points(shares, len(indices))
    new = {(index, event.seat): share for index, share in zip(indices, given, strict=True)}
    return replace(state, shares={**state.shares, **new})


def _deal(state: State, events: Sequence[Event]) -> State:
    for event in events:
        others = [index for index, holder in enumerate(state.holders) if holder != event.seat]
        with blaming(event.seat):
            state = _with_shares(state, event, others, event.blob(0), event.blob(1))
    return replace(state, phase="play")


def _draw_share(state: State, events: Sequence[Event]) -> State:
    for event in events:
        with blaming(event.seat):
            state = _with_shares(state, event, [len(state.holders) - 1], event.blob(0), event.blob(1))
    return replace(state, phase="settle" if state.playing().ended else "play")


def _play(state: State, events: Sequence[Event]) -> State:
    (event,) = events
    with blaming(event.seat):
        match event.fields[0]:
            case "draw":
                holders = (*state.holders, event.seat)
                game = turns.draw(state.playing())
                return replace(state, game=game, holders=holders, drawer=event.seat, phase="draw_share")
            case "pass":
                state = replace(state, game=turns.pass_turn(state.playing()))
            case _:
                state = _lay(state, event)
    return replace(state, phase="settle" if state.playing().ended else "play")


def _lay(state: State, event: Event) -> State:
    written, opening, laid = event.fields[5:8]
    melds = [(kind, tuple(tiles)) for kind, tiles in written]
    tiles = [tile for tile, _ in laid]
    indices = [index for _, index in laid]
    ascending = indices == sorted(set(indices))
    held = all(
        index < len(state.holders) and state.holders[index] == event.seat and index not in state.laid
        for index in indices
    )
    require(ascending and held, "wrong_index", layer="transcript")
    turns.check_tiles(state.playing(), melds, tiles)
    state = _with_shares(state, event, indices, event.blob(3), event.blob(4))
    for tile, index in zip(tiles, indices, strict=True):
        opened = total(state.shares[index, seat] for seat in range(state.seats))
        found = deck.tile_at(state.decks[-1], index, opened)
        require(found == tile, "tile_not_held", layer="transcript")
    game = turns.lay(state.playing(), melds, opening, tiles)
    return replace(state, game=game, laid={**state.laid, **dict(zip(indices, tiles, strict=True))})


def _settle(state: State, events: Sequence[Event]) -> State:
    secrets = [event.blob(0) for event in events]
    for event, secret in zip(events, secrets, strict=True):
        with blaming(event.seat):
            shown = (read_secret(secret) * G).encode() == state.publics[event.seat]
            require(shown, "commitment_mismatch", layer="transcript")
    tiles, _ = deck.open_with_secrets(state.decks[-1], secrets)
    racks = tuple(
        tuple(
            tiles[index]
            for index, holder in enumerate(state.holders)
            if holder == seat and index not in state.laid
        )
        for seat in range(state.seats)
    )
    points = tuple(turns.points(state.playing(), racks))
    return replace(state, phase="result", racks=racks, points=points)


def _result(state: State, events: Sequence[Event]) -> State:
    for event in events:
        with blaming(event.seat):
            require(tuple(event.fields[5]) == state.points, "wrong_result", layer="transcript")
    return replace(state, phase="done")


STEPS: dict[str, Callable[[State, Sequence[Event]], State]] = {
    "commit": _commit,
    "reveal": _reveal,
    "shuffle": _shuffle,
    "prove": _prove,
    "deal": _deal,
    "play": _play,
    "draw_share": _draw_share,
    "settle": _settle,
    "result": _result,
}
