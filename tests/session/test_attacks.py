"""What an attacker can do with what it signs: each is blamed on it, by everyone, under the fault's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from p2prummi.crypto import deck as decks
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.refusal import RefusalError
from p2prummi.errors import FaultCode
from p2prummi.session import duties
from p2prummi.session.duties import RoundSecrets
from p2prummi.session.notices import Dealt, FaultSeen, MatchEnd, MatchEnded, PeerLeft, PhaseProgress
from p2prummi.testing.adversaries import resigned, resigned_ack
from p2prummi.testing.checkers import event_in
from p2prummi.testing.network import Passage, Peer, Watcher
from p2prummi.transcript.chain import head_after
from p2prummi.transcript.phases import Phase
from p2prummi.transcript.state import RoundState
from p2prummi.wire import events, limits
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Ack, EventFrame, encode_frame, parse_frame
from tests.session.branching import Sent
from tests.session.matches import ends, seated, told
from tests.session.scenes import Scene, assert_blamed, assert_link_refused, round_of, scene_of

ENTROPY = SeededEntropy(b"attacks")


def state_of(scene: Scene) -> RoundState:
    """The state that the scene's event builds on."""
    return round_of(scene.attacker)._states[scene.event.sequence]


def secrets_of(scene: Scene) -> RoundSecrets:
    secrets = round_of(scene.attacker)._secrets
    assert secrets is not None
    return secrets


def flipped(data: bytes, position: int = -1) -> bytes:
    changed = bytearray(data)
    changed[position] ^= 1
    return bytes(changed)


# Wrong claims, one payload each.


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


def proof_changed(scene: Scene) -> events.Payload:
    payload = scene.event.payload
    assert isinstance(payload, events.Deal | events.DrawShare | events.Play | events.Prove)
    return replace(payload, proof=flipped(payload.proof))


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


def no_points(scene: Scene) -> events.Payload:
    payload = scene.event.payload
    assert isinstance(payload, events.Shuffle)
    return events.Shuffle(b"\x05" + payload.deck[1:])


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
    evidence = encode_frame(EventFrame(wrong.body, wrong.signature))
    assert all(told(peer, FaultSeen)[0].evidence == (evidence,) for peer in scene.honest)


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
        scene.network.send_raw(scene.attacker, peer, encode_frame(EventFrame(event.body, event.signature)))
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
        assert (fault.code, fault.peer) == (FaultCode.NEUTRAL_ELEMENT, None)
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
            wire.extend(encode_frame(EventFrame(event.body, event.signature)) for event in (wrong, late))
    scene.network.tap = lambda sender, _receiver, frame: [] if sender == scene.attacker.public else [frame]
    scene.network.run()
    assert_blamed(scene.network, scene.attacker, FaultCode.SHUFFLE_PROOF_FAILED)


# Two versions.


def other_version(scene: Scene) -> Event:
    """A second event for the same slot that is as good as the first."""
    state = state_of(scene)
    author = round_of(scene.attacker)._author
    secrets = secrets_of(scene)
    match scene.event.payload:
        case events.Deal():
            return duties._deal(state, author, secrets, ENTROPY)[0]
        case events.DrawShare():
            return duties._draw_share(state, author, secrets, ENTROPY)[0]
        case events.Shuffle():
            assert state.joint is not None
            fresh = decks.prepare_shuffle(state.deck.size, ENTROPY).with_key(state.joint)
            return duties._shuffle(state, author, replace(secrets, shuffle=fresh), ENTROPY)[0]
        case events.Play():
            return author.sign(state, events.Draw())
        case _:
            return author.sign(state, events.Commit(bytes(32)))


@pytest.mark.parametrize("kind", ["commit", "shuffle", "deal", "play", "draw_share"])
@pytest.mark.parametrize("swap", [False, True], ids=["first to the first", "first to the second"])
def test_two_versions_of_an_event_to_two_peers_are_equivocation(kind: str, swap: bool) -> None:
    scene = scene_of(kind).branch()
    first, second = scene.honest
    versions = (scene.event, other_version(scene))
    assert versions[0].body != versions[1].body
    honest_deals: list[Event] = []

    class Deals(Watcher):
        def sent(self, passage: Passage) -> None:
            event = event_in(passage.frame)
            if event is not None and event.kind == "deal" and passage.sender is not scene.attacker:
                honest_deals.append(event)

    scene.network.watchers.append(Deals())
    scene.send_instead(lambda far: (versions[(far is first) == swap],))
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)
    if kind == "shuffle":
        # The two decks: no share has left anyone, not even the deal of a round that is over.
        assert honest_deals == []
        assert all(round_of(peer).hand == {} for peer in (first, second))


def test_two_versions_to_one_peer_are_equivocation() -> None:
    for kind in ("commit", "play"):
        scene = scene_of(kind).branch()
        scene.send_to_all(scene.event, other_version(scene))
        assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


def test_evidence_from_who_has_sent_nothing_before_changes_nothing_once_the_match_is_over() -> None:
    scene = scene_of("commit").branch()
    first, second = scene.honest
    second.session._latest.pop(first.public, None)
    frames = [
        encode_frame(EventFrame(event.body, event.signature)) for event in (scene.event, other_version(scene))
    ]
    for sender, sent in ((scene.attacker, frames), (first, frames[::-1])):
        for frame in sent:
            second.session.receive(sender.public, frame, scene.network.now)
    scene.network._collect()
    (fault,) = told(second, FaultSeen)
    assert (fault.code, fault.peer) == (FaultCode.EQUIVOCATION, scene.attacker.public)
    assert second.closed == []


def test_a_second_version_on_another_head_is_equivocation_at_once() -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all(scene.event, resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


def test_another_version_of_a_slot_long_past_is_equivocation() -> None:
    scene = scene_of("draw").branch()
    old = scene_of("commit").event
    scene.send_to_all(scene.event, resigned(scene.attacker.key, old, payload=events.Commit(bytes(32))))
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


# At the wrong time.


def test_an_event_out_of_turn_is_blamed() -> None:
    """For a slot that another seat has filled long ago, on its right head."""
    scene = scene_of("draw").branch()
    past = next(state for state in round_of(scene.attacker)._states if 2 not in state.fillers)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, sequence=past.sequence, prev=past.head))
    assert_blamed(scene.network, scene.attacker, FaultCode.OUT_OF_TURN)


def test_an_event_in_anothers_turn_is_blamed() -> None:
    scene = scene_of("draw").branch()
    network = scene.network
    scene.send_instead(lambda _far: ())
    assert all(round_of(peer).state.sequence == scene.event.sequence for peer in scene.honest)
    thief = scene.honest[0]
    stolen = resigned(thief.key, scene.event, seat=0)
    network.send_raw(thief, scene.honest[1], encode_frame(EventFrame(stolen.body, stolen.signature)))
    network.run()
    blaming = scene.honest[1]
    assert [(fault.code, fault.peer) for fault in told(blaming, FaultSeen)] == [
        (FaultCode.OUT_OF_TURN, thief.public)
    ]


def test_an_event_on_a_head_that_nothing_leads_to_costs_the_link_after_a_while() -> None:
    scene = scene_of("draw").branch()
    send_no_more_events(scene)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
    scene.network.advance(limits.FORK_SECONDS_MAX - 0.5)
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
    scene.network.advance(1)
    assert_link_refused(scene.network, scene.attacker, FaultCode.WRONG_HEAD)
    first, second = scene.honest
    assert told(first, PeerLeft)[-1].peer == told(second, PeerLeft)[-1].peer == scene.attacker.public


def test_a_further_doubt_does_not_prolong_the_first() -> None:
    """Nor is what is doubted shown to its own signer."""
    scene = scene_of("draw").branch()
    network, attacker = scene.network, scene.attacker
    send_no_more_events(scene)
    came: list[Event] = []

    class Came(Watcher):
        def came(self, passage: Passage) -> None:
            event = event_in(passage.frame)
            if passage.receiver is attacker and event is not None and event.seat == 2:
                came.append(event)

    network.watchers.append(Came())
    scene.send_to_all(resigned(attacker.key, scene.event, prev=bytes(32)))
    network.advance(limits.FORK_SECONDS_MAX / 2)
    past = next(state for state in round_of(attacker)._states if 2 not in state.fillers and state.sequence)
    other = resigned(attacker.key, scene.event, sequence=past.sequence, prev=bytes(32))
    for peer in scene.honest:
        network.send_raw(attacker, peer, encode_frame(EventFrame(other.body, other.signature)))
    network.advance(limits.FORK_SECONDS_MAX / 2 + 0.1)
    assert_link_refused(network, attacker, FaultCode.WRONG_HEAD)
    assert came == []


def test_the_first_player_lost_is_the_one_that_is_named() -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all()
    other, peer = sorted(scene.honest, key=lambda peer: peer.name != "anna")
    running = round_of(peer)
    running._working.add("test")
    peer.session.peer_lost(scene.attacker.public, "first", scene.network.now)
    peer.session.peer_lost(other.public, "second", scene.network.now)
    # The other one opened the room, which is not closed before the match is ended.
    assert peer.session.advert().state == "playing"
    running._working.discard("test")
    peer.session.handle_deadline(scene.network.now)
    scene.network._collect()
    (end,) = told(peer, MatchEnded)
    assert (end.reason, end.peer) == (MatchEnd.LINK_LOST, scene.attacker.public)


def test_a_doubt_costs_no_link_once_the_match_is_over() -> None:
    scene = scene_of("draw").branch()
    send_no_more_events(scene)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    for peer in scene.honest:
        run = peer.session._run
        assert run is not None
        run.leave()
    scene.wait()
    for peer in scene.honest:
        assert told(peer, FaultSeen) == []
        assert peer.closed == []


def test_a_doubt_of_who_is_gone_already_names_nobody() -> None:
    """The match does not end before what is under judgement is judged, however long that takes."""
    scene = scene_of("draw").branch()
    send_no_more_events(scene)
    scene.send_to_all(resigned(scene.attacker.key, scene.event, prev=bytes(32)))
    peer = scene.honest[0]
    round_of(peer)._working.add("test")
    peer.session.peer_lost(scene.attacker.public, "test", scene.network.now)
    assert told(peer, MatchEnded) == []
    peer.session.handle_deadline(scene.network.now + limits.FORK_SECONDS_MAX)
    assert list(peer.session._outbox.closings) == []
    assert not any(isinstance(notice, FaultSeen) for notice in peer.session._outbox.notices)
    # It is looked at once, not again and again; what is missing is still asked for.
    assert round_of(peer).deadline() == round_of(peer).relay.deadline()


def test_an_event_on_another_head_shown_to_one_is_shown_to_all() -> None:
    scene = scene_of("draw").branch()
    first, _ = scene.honest
    wrong = resigned(scene.attacker.key, scene.event, prev=bytes(32))
    scene.send_instead(lambda far: (wrong,) if far is first else (scene.event,))
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


def test_an_event_far_ahead_costs_the_link() -> None:
    for ahead in (limits.SLOTS_AHEAD_MAX - 1, limits.SLOTS_AHEAD_MAX + 1):
        scene = scene_of("draw").branch()
        early = resigned(scene.attacker.key, scene.event, sequence=scene.event.sequence + ahead)
        scene.send_to_all(early)
        if ahead > limits.SLOTS_AHEAD_MAX:
            assert_link_refused(scene.network, scene.attacker, FaultCode.LIMIT_EXCEEDED)
        else:
            assert all(told(peer, FaultSeen) == [] for peer in scene.honest)


def send_no_more_events(scene: Scene) -> None:
    """Lets the attacker answer nobody who asks what it has signed."""
    scene.network.tap = lambda sender, _receiver, frame: (
        [] if sender == scene.attacker.public and event_in(frame) is not None else [frame]
    )


def test_what_is_withheld_is_waited_for_and_reveals_nothing() -> None:
    scene = scene_of("deal").branch()
    send_no_more_events(scene)
    scene.send_instead(lambda _far: ())
    scene.wait()
    for peer in scene.honest:
        assert told(peer, MatchEnded) == []
        assert round_of(peer).state.phase is Phase.DEAL
        assert round_of(peer).hand == {}
        # Everyone sees who is missing.
        assert told(peer, PhaseProgress)[-1].seats_done == (0, 1)


# Acknowledgements.


def acks_changed(scene: Scene, change: Callable[[Peer, Ack], list[Sent]]) -> None:
    """Lets the attacker change its own acknowledgements from here on."""

    def tap(sender: bytes, receiver: bytes, frame: bytes) -> list[bytes]:
        parsed = parse_frame(frame)
        if sender != scene.attacker.public or not isinstance(parsed, Ack) or parsed.seat != 2:
            return [frame]
        changed = change(scene.network.peers[receiver], parsed)
        return [encode_frame(each) for each in changed if isinstance(each, Ack)]

    scene.network.tap = tap
    scene.send_to_all(scene.event)


def test_an_ack_of_the_right_head_with_another_state_is_blamed() -> None:
    scene = scene_of("draw").branch()
    key = scene.attacker.key
    acks_changed(scene, lambda _far, ack: [resigned_ack(key, ack, state=bytes(32))])
    assert_blamed(scene.network, scene.attacker, FaultCode.STATE_DIFFERS)


@pytest.mark.parametrize("to_one", [True, False], ids=["to one", "to two"])
def test_two_acks_of_one_slot_are_equivocation(to_one: bool) -> None:
    scene = scene_of("draw").branch()
    key, first = scene.attacker.key, scene.honest[0]

    def two(far: Peer, ack: Ack) -> list[Sent]:
        other = resigned_ack(key, ack, head=bytes(32))
        return [ack, other] if to_one else [ack if far is first else other]

    acks_changed(scene, two)
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


def test_an_ack_of_a_head_that_nothing_leads_to_costs_the_link_after_a_while() -> None:
    scene = scene_of("draw").branch()
    key = scene.attacker.key
    acks_changed(scene, lambda _far, ack: [resigned_ack(key, ack, head=bytes(32))])
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)
    # Nothing that needs finality leaves anyone meanwhile.
    for seat, peer in enumerate(scene.honest):
        state = round_of(peer).state
        assert state.phase is Phase.DRAW_SHARE
        assert not round_of(peer)._slots.has(state.sequence, seat)
    scene.wait()
    assert_link_refused(scene.network, scene.attacker, FaultCode.WRONG_HEAD)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"state": bytes(32)}, FaultCode.BAD_SIGNATURE),
        ({"seat": 0}, FaultCode.BAD_SIGNATURE),
        ({"seat": 3}, FaultCode.WRONG_SEAT),
        ({"context": bytes(32)}, FaultCode.WRONG_CONTEXT),
    ],
)
def test_an_ack_that_its_seat_has_not_signed_costs_the_link(
    change: dict[str, bytes], code: FaultCode
) -> None:
    scene = scene_of("draw").branch()
    acks_changed(scene, lambda _far, ack: [replace(ack, **change)])  # type: ignore[arg-type] # the fields' own types
    assert_link_refused(scene.network, scene.attacker, code)


def test_an_ack_far_ahead_costs_the_link() -> None:
    scene = scene_of("draw").branch()
    key = scene.attacker.key
    ahead = scene.event.sequence + 1 + limits.SLOTS_AHEAD_MAX + 2
    acks_changed(scene, lambda _far, ack: [resigned_ack(key, ack, sequence=ahead)])
    assert_link_refused(scene.network, scene.attacker, FaultCode.LIMIT_EXCEEDED)


# What others relay frames nobody.


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("shuffle", FaultCode.INVALID_POINT),
        ("draw", FaultCode.ILLEGAL_TURN),
        ("deal", FaultCode.SHARE_PROOF_FAILED),
        ("settle", FaultCode.COMMITMENT_MISMATCH),
    ],
)
def test_a_relayed_fault_is_blamed_on_its_signer_not_on_who_relays_it(kind: str, code: FaultCode) -> None:
    """The attacker shows its wrong event to one peer, which shows it to the other: both judge it alike."""
    scene = scene_of(kind).branch()
    payloads: dict[str, events.Payload] = {"draw": events.Pass(), "settle": events.Settle(b"\1" * 32)}
    if kind == "shuffle":
        payloads[kind] = no_points(scene)
    elif kind == "deal":
        payloads[kind] = proof_changed(scene)
    wrong = resigned(scene.attacker.key, scene.event, payload=payloads[kind])
    first, _ = scene.honest
    scene.send_instead(lambda far: (wrong,) if far is first else ())
    assert_blamed(scene.network, scene.attacker, code)


def test_good_events_relayed_by_another_are_as_good() -> None:
    """All that the last seat sends to the first goes over the second instead."""
    scene = scene_of("draw").branch()
    first, second = scene.honest
    scene.send_instead(lambda far: () if far is first else (scene.event,))
    assert round_of(first).state.sequence == scene.event.sequence
    scene.network.send_raw(second, first, encode_frame(EventFrame(scene.event.body, scene.event.signature)))
    scene.network.run()
    assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}


def test_a_forged_event_of_another_seat_costs_its_sender_the_link_alone() -> None:
    scene = scene_of("draw").branch()
    forged = resigned(scene.attacker.key, scene.event, seat=0, payload=events.Pass())
    scene.send_to_all(forged)
    assert_link_refused(scene.network, scene.attacker, FaultCode.BAD_SIGNATURE)


def test_old_events_change_nothing_once_the_match_is_over() -> None:
    scene = scene_of("result").branch()
    scene.send_to_all(scene.event)
    assert {end.reason for _, end in ends(scene.network)} == {MatchEnd.FINISHED}
    old = encode_frame(EventFrame(scene.event.body, scene.event.signature))
    for peer in scene.honest:
        scene.network.send_raw(scene.attacker, peer, old)
    scene.network.run()
    assert all(told(peer, FaultSeen) == [] for peer in scene.honest)


def test_who_comes_back_after_the_match_cannot_go_on_with_it() -> None:
    scene = scene_of("draw").branch()
    network, first, attacker = scene.network, scene.honest[0], scene.attacker
    scene.send_instead(lambda _far: ())
    network.cut(first, attacker)
    network.run()
    network.link(first, attacker)
    wrong = resigned(attacker.key, scene.event, payload=events.Pass())
    network.send_raw(attacker, first, encode_frame(EventFrame(wrong.body, wrong.signature)))
    network.run()
    assert told(first, FaultSeen) == []
    assert len(told(first, MatchEnded)) == 1


def test_events_of_no_match_that_is_known_cost_the_link() -> None:
    scene = scene_of("draw").branch()
    scene.send_to_all(resigned(scene.attacker.key, scene.event, context=bytes(32)))
    assert_link_refused(scene.network, scene.attacker, FaultCode.WRONG_CONTEXT)


def test_an_event_of_an_earlier_round_costs_the_link() -> None:
    network = seated(3, 12, "rounds=2", "pool_empty=round_ends")
    first: list[bytes] = []

    class Commits(Watcher):
        def sent(self, passage: Passage) -> None:
            event = event_in(passage.frame)
            if event is not None and event.kind == "commit" and passage.sender.name == "cy":
                first.append(passage.frame)

    network.watchers.append(Commits())
    anna, _, cy = network
    network.run(until=lambda: len(told(anna, Dealt)) == 2)
    for peer in list(network)[:2]:
        network.send_raw(cy, peer, first[0])
    network.run()
    assert_link_refused(network, cy, FaultCode.WRONG_CONTEXT)
