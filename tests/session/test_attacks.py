"""Wrong claims in what an attacker signs: each is blamed on it, by everyone, under the fault's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2prummi.crypto import deck as decks
from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode
from p2prummi.session import duties
from p2prummi.session.duties import RoundSecrets
from p2prummi.session.notices import FaultSeen, MatchEnd
from p2prummi.testing.adversaries import as_bytes, resigned
from p2prummi.testing.checkers import event_in
from p2prummi.transcript.chain import head_after
from p2prummi.transcript.phases import Phase
from p2prummi.wire import events
from tests.session.claims import ENTROPY, no_points, proof_changed, secrets_of, state_of
from tests.session.matches import ends, told
from tests.session.scenes import Scene, assert_blamed, round_of, scene_of

# Payloads made wrong.


def reveal(**changes: object) -> Callable[[Scene], events.Payload]:
    def make(scene: Scene) -> events.Payload:
        payload = scene.event.payload
        assert isinstance(payload, events.Reveal)
        return replace(payload, **changes)  # type: ignore[arg-type] # the fields' own types

    return make


def other_key(scene: Scene) -> events.Payload:
    key = decks.make_round_key(ENTROPY)
    context = scene.event.context
    proof = decks.prove_key(context, 2, key, ENTROPY)
    payload = scene.event.payload
    assert isinstance(payload, events.Reveal)
    return events.Reveal(key.public, proof, payload.coin)


def shares_changed(change: Callable[[bytes], bytes]) -> Callable[[Scene], events.Payload]:
    def make(scene: Scene) -> events.Payload:
        payload = scene.event.payload
        assert isinstance(payload, events.Deal | events.DrawShare | events.Play)
        return replace(payload, shares=change(payload.shares))

    return make


def swapped(shares: bytes) -> bytes:
    return shares[33:66] + shares[:33] + shares[66:]


def shares_of_others(scene: Scene) -> events.Payload:
    """Good shares with a good proof, but of the indices that another seat owes."""
    state = state_of(scene)
    round_ = round_of(scene.attacker)
    indices = [index for index, holder in enumerate(state.holders) if holder != 1]
    shares = duties._shares(state, round_._author, secrets_of(scene), indices, ENTROPY)
    return events.Deal(shares.points, shares.proof)


def share_of_another_index(scene: Scene) -> events.Payload:
    state = state_of(scene)
    (index,) = state.drawn
    shares = duties._shares(state, round_of(scene.attacker)._author, secrets_of(scene), [index + 1], ENTROPY)
    return events.DrawShare(shares.points, shares.proof)


def short_deck(scene: Scene) -> events.Payload:
    payload = scene.event.payload
    assert isinstance(payload, events.Shuffle)
    return events.Shuffle(payload.deck[:-66])


def lay(
    *,
    laid: Callable[[list[tuple[int, int]]], list[tuple[int, int]]] = lambda laid: laid,
    melds: Callable[[tuple[events.WireMeld, ...]], tuple[events.WireMeld, ...]] = lambda melds: melds,
    opening: tuple[int, ...] | None = None,
    share: bool = True,
) -> Callable[[Scene], events.Payload]:
    """The scene's lay with changes, its shares and proof made anew for what it says that it lays."""

    def make(scene: Scene) -> events.Payload:
        payload = scene.event.payload
        assert isinstance(payload, events.Play)
        pairs = laid(list(payload.laid))
        indices = list(dict.fromkeys(index for _, index in pairs))
        shares = duties._shares(
            state_of(scene), round_of(scene.attacker)._author, secrets_of(scene), indices, ENTROPY
        )
        return events.Play(
            melds=melds(payload.melds),
            opening=payload.opening if opening is None else opening,
            laid=tuple(pairs),
            shares=shares.points if share else payload.shares,
            proof=shares.proof if share else payload.proof,
        )

    return make


def of_another_seat(laid: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """An index that seat 0 holds: the first one that is dealt goes to whoever starts, the attacker."""
    return [*laid[:-1], (laid[-1][0], 14 * 3 - 1)]


def rotated(laid: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each index with the tile of the next one."""
    numbers = [number for number, _ in laid]
    return [(number, index) for number, (_, index) in zip(numbers[1:] + numbers[:1], laid, strict=True)]


def retold(melds: tuple[events.WireMeld, ...]) -> tuple[events.WireMeld, ...]:
    """The first meld with its tiles in another order, which people may type but no program sends."""
    (kind, tiles), *rest = melds
    return ((kind, tiles[::-1]), *rest)


def as_other_kind(melds: tuple[events.WireMeld, ...]) -> tuple[events.WireMeld, ...]:
    (kind, tiles), *rest = melds
    return ((1 - kind, tiles), *rest)


WRONG_CLAIMS: dict[str, tuple[str, Callable[[Scene], events.Payload], FaultCode]] = {
    "another coin than committed to": ("reveal", reveal(coin=bytes(32)), FaultCode.COMMITMENT_MISMATCH),
    "another key than committed to": ("reveal", other_key, FaultCode.COMMITMENT_MISMATCH),
    "a deck that is too short": ("shuffle", short_deck, FaultCode.WRONG_SCHEMA),
    "a deck that holds no point": ("shuffle", no_points, FaultCode.INVALID_POINT),
    "a wrong proof of a shuffle": ("prove", proof_changed, FaultCode.SHUFFLE_PROOF_FAILED),
    "two shares swapped": ("deal", shares_changed(swapped), FaultCode.SHARE_PROOF_FAILED),
    "a share left out": ("deal", shares_changed(lambda shares: shares[:-33]), FaultCode.WRONG_SCHEMA),
    "a share that is no point": (
        "deal",
        shares_changed(lambda shares: b"\5" + shares[1:]),
        FaultCode.INVALID_POINT,
    ),
    "a wrong proof of shares": ("deal", proof_changed, FaultCode.SHARE_PROOF_FAILED),
    "the shares that another owes": ("deal", shares_of_others, FaultCode.SHARE_PROOF_FAILED),
    "a share of another index": ("draw_share", share_of_another_index, FaultCode.SHARE_PROOF_FAILED),
    "a wrong proof of a drawn share": ("draw_share", proof_changed, FaultCode.SHARE_PROOF_FAILED),
    "an index of another seat": ("play", lay(laid=of_another_seat), FaultCode.WRONG_INDEX),
    "an index of the pool": (
        "play",
        lay(laid=lambda laid: [*laid[:-1], (laid[-1][0], 90)]),
        FaultCode.WRONG_INDEX,
    ),
    "an index twice": (
        "play",
        lay(laid=lambda laid: [*laid[:-1], (laid[-1][0], laid[0][1])]),
        FaultCode.WRONG_INDEX,
    ),
    "indices out of order": ("play", lay(laid=lambda laid: laid[::-1]), FaultCode.WRONG_INDEX),
    "tiles at each other's index": ("play", lay(laid=rotated), FaultCode.TILE_NOT_HELD),
    "a tile said twice": (
        "play",
        lay(laid=lambda laid: [laid[0], (laid[0][0], laid[1][1]), *laid[2:]]),
        FaultCode.ILLEGAL_TURN,
    ),
    "fewer tiles than lie there": ("play", lay(laid=lambda laid: laid[:-1]), FaultCode.ILLEGAL_TURN),
    "a wrong proof of laid tiles": ("play", proof_changed, FaultCode.SHARE_PROOF_FAILED),
    "shares of fewer tiles": ("play", shares_changed(lambda shares: shares[33:]), FaultCode.WRONG_SCHEMA),
    "a meld in another form": ("play", lay(melds=retold), FaultCode.ILLEGAL_TURN),
    "a meld of another kind": ("play", lay(melds=as_other_kind), FaultCode.ILLEGAL_TURN),
    "the same meld twice": ("play", lay(melds=lambda melds: (*melds, melds[0])), FaultCode.ILLEGAL_TURN),
    "an opening that is no meld": ("play", lay(opening=(52,)), FaultCode.ILLEGAL_TURN),
    "an opening named twice": ("play", lay(opening=(0, 0)), FaultCode.ILLEGAL_TURN),
    "no opening at all": ("play", lay(opening=()), FaultCode.ILLEGAL_TURN),
    "a pass while there are tiles": ("draw", lambda _scene: events.Pass(), FaultCode.ILLEGAL_TURN),
    "a draw where there are none": ("pass", lambda _scene: events.Draw(), FaultCode.ILLEGAL_TURN),
    "another secret than the key's": (
        "settle",
        lambda _scene: events.Settle(b"\1" * 32),
        FaultCode.COMMITMENT_MISMATCH,
    ),
    "a secret of zero": ("settle", lambda _scene: events.Settle(bytes(32)), FaultCode.INVALID_SCALAR),
    "other points": ("result", lambda _scene: events.Result((0, 0, 0)), FaultCode.WRONG_RESULT),
    "points of fewer seats": ("result", lambda _scene: events.Result((0, 0)), FaultCode.WRONG_RESULT),
    "a kind that does not fit": ("draw", lambda _scene: events.Settle(b"\1" * 32), FaultCode.WRONG_PHASE),
}


@pytest.mark.parametrize("claim", WRONG_CLAIMS)
def test_a_wrong_claim_is_blamed_by_all(claim: str) -> None:
    kind, make, code = WRONG_CLAIMS[claim]
    scene = scene_of(kind).branch()
    wrong = resigned(scene.attacker.key, scene.event, payload=make(scene))
    scene.send_to_all(wrong)
    assert_blamed(scene.network, scene.attacker, code)
    # What shows it is that event alone, whoever else has filled the slot.
    evidence = as_bytes(wrong)
    assert all(told(peer, FaultSeen)[0].evidence == (evidence,) for peer in scene.honest)


# What is committed to, and what is only found out by a later event.


def committed_to(scene: Scene, secrets: RoundSecrets, commitment: bytes) -> None:
    """Lets the attacker commit to something else, and everyone, itself too, go on to the reveal."""
    attacker = round_of(scene.attacker)
    wrong = resigned(scene.attacker.key, scene.event, payload=events.Commit(commitment))
    attacker._slots._held[0][2] = wrong
    attacker._secrets = secrets
    scene.network.tap = lambda sender, _receiver, frame: (
        [] if sender == scene.attacker.public and carries(frame, "reveal") else [frame]
    )
    scene.send_to_all(wrong)
    assert all(round_of(peer).state.phase is Phase.REVEAL for peer in scene.honest)
    scene.network.tap = lambda _sender, _receiver, frame: [frame]


def carries(frame: bytes, kind: str) -> bool:
    event = event_in(frame)
    return event is not None and event.kind == kind


def revealed(scene: Scene, payload: events.Reveal) -> None:
    """Sends the attacker's reveal to both others."""
    attacker = round_of(scene.attacker)
    event = attacker._author.sign(round_of(scene.honest[0]).state, payload)
    for peer in scene.honest:
        scene.network.send_raw(scene.attacker, peer, as_bytes(event))
    scene.network.run()


@pytest.mark.parametrize("is_stolen", [False, True], ids=["own key", "the other's key"])
def test_a_copied_commitment_cannot_be_opened(is_stolen: bool) -> None:
    """Whoever copies a commitment can reveal nothing that matches it for its own seat; its victim can."""
    scene = scene_of("commit").branch()
    theirs, own = round_of(scene.honest[0])._secrets, secrets_of(scene)
    assert theirs is not None
    copied = decks.key_commitment(scene.event.context, 0, theirs.key.public, theirs.key_proof, theirs.coin)
    assert copied in {
        event.payload.commitment
        for event in round_of(scene.honest[0])._slots.at(0)
        if isinstance(event.payload, events.Commit)
    }
    committed_to(scene, own, copied)
    shown = theirs if is_stolen else own
    revealed(scene, events.Reveal(shown.key.public, shown.key_proof, shown.coin))
    assert_blamed(scene.network, scene.attacker, FaultCode.COMMITMENT_MISMATCH)


def test_a_key_without_a_proof_of_its_secret_is_blamed() -> None:
    """It is what was committed to, but the proof is another's, or none."""
    scene = scene_of("commit").branch()
    own, theirs = secrets_of(scene), round_of(scene.honest[0])._secrets
    assert theirs is not None
    shown = events.Reveal(theirs.key.public, theirs.key_proof, own.coin)
    commitment = decks.key_commitment(scene.event.context, 2, shown.public, shown.proof, shown.coin)
    committed_to(scene, own, commitment)
    revealed(scene, shown)
    assert_blamed(scene.network, scene.attacker, FaultCode.KEY_PROOF_FAILED)


def test_a_key_that_another_shows_too_is_blamed_on_the_later_of_both() -> None:
    """Whoever can prove it knows its secret: two in league. It takes the events of both to show it."""
    scene = scene_of("commit").branch()
    own, theirs = secrets_of(scene), round_of(scene.honest[0])._secrets
    assert theirs is not None
    proof = decks.prove_key(scene.event.context, 2, theirs.key, ENTROPY)
    shown = events.Reveal(theirs.key.public, proof, own.coin)
    commitment = decks.key_commitment(scene.event.context, 2, shown.public, shown.proof, shown.coin)
    committed_to(scene, own, commitment)
    revealed(scene, shown)
    assert_blamed(scene.network, scene.attacker, FaultCode.KEY_REUSED)
    for peer in scene.honest:
        shown_by = [event_in(frame) for frame in told(peer, FaultSeen)[0].evidence]
        assert [event.seat for event in shown_by if event is not None] == [0, 2]


def test_keys_that_cancel_each_other_end_the_match_and_are_blamed_on_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def cancelled(_publics: object) -> decks.JointKey:
        raise RefusalError(FaultCode.NEUTRAL_ELEMENT, "neutral", "the keys cancel each other")

    scene = scene_of("reveal").branch()
    monkeypatch.setattr(decks, "joint_key", cancelled)
    scene.send_to_all(scene.event)
    for peer, end in ends(scene.network):
        assert (end.reason, end.peer, end.winners) == (MatchEnd.FAULT, None, ())
        (fault,) = told(peer, FaultSeen)
        assert (fault.code, fault.peer, fault.signed) == (FaultCode.NEUTRAL_ELEMENT, None, True)
        assert "the keys cancel each other" in fault.text
        assert peer.closed == []


def test_a_deck_with_a_tile_twice_cannot_be_proved() -> None:
    """The last seat puts a ciphertext in another's place; whatever it then sends as a proof fails."""
    scene = scene_of("shuffle").branch()
    payload = scene.event.payload
    assert isinstance(payload, events.Shuffle)
    wrong = resigned(
        scene.attacker.key,
        scene.event,
        payload=events.Shuffle(payload.deck[:66] + payload.deck[:66] + payload.deck[132:]),
    )
    proof = scene_of("prove").event
    state = state_of(scene)
    prev = head_after(state.head, [wrong])
    late = resigned(scene.attacker.key, proof, prev=prev)
    # What the attacker's own session says from here on belongs to the deck that it has not sent.
    for (source, _), wire in scene.network._wires.items():
        if source == scene.attacker.public:
            wire.clear()
            wire.extend(as_bytes(event) for event in (wrong, late))
    scene.network.tap = lambda sender, _receiver, frame: [] if sender == scene.attacker.public else [frame]
    scene.network.run()
    assert_blamed(scene.network, scene.attacker, FaultCode.SHUFFLE_PROOF_FAILED)
