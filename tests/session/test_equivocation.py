"""Two versions of one event: all blame whoever signs them, whichever version each has seen first."""

from __future__ import annotations

import pytest

from p2prummi.errors import FaultCode
from p2prummi.session.notices import FaultSeen
from p2prummi.testing.adversaries import as_bytes, resigned
from p2prummi.testing.checkers import event_in
from p2prummi.testing.network import Passage, Watcher
from p2prummi.wire import events
from p2prummi.wire.events import Event
from p2prummi.wire.frames import Ack, EventFrame, Frame, parse_frame
from tests.session.claims import other_version
from tests.session.matches import told
from tests.session.scenes import assert_blamed, round_of, scene_of


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


@pytest.mark.parametrize("lost", [Ack, EventFrame], ids=["events alone", "acknowledgements alone"])
def test_two_versions_show_in_what_others_build_on_them(lost: type[Frame]) -> None:
    """Each is shown another commitment by the last seat, and one kind of all other frames gets lost."""
    scene = scene_of("commit").branch()
    first, _ = scene.honest
    versions = (scene.event, other_version(scene))

    def tap(_sender: bytes, _receiver: bytes, frame: bytes) -> list[bytes]:
        event = event_in(frame)
        is_lost = isinstance(parse_frame(frame), lost) and (event is None or event.kind != "commit")
        return [] if is_lost else [frame]

    scene.network.tap = tap
    scene.send_instead(lambda far: (versions[far is first],))
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


def test_two_versions_to_one_peer_are_equivocation() -> None:
    for kind in ("commit", "play"):
        scene = scene_of(kind).branch()
        scene.send_to_all(scene.event, other_version(scene))
        assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)


def test_evidence_from_who_has_sent_nothing_before_changes_nothing_once_the_match_is_over() -> None:
    scene = scene_of("commit").branch()
    first, second = scene.honest
    second.session._latest.pop(first.public, None)
    frames = [as_bytes(event) for event in (scene.event, other_version(scene))]
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


def test_an_event_on_another_head_shown_to_one_is_shown_to_all() -> None:
    scene = scene_of("draw").branch()
    first, _ = scene.honest
    wrong = resigned(scene.attacker.key, scene.event, prev=bytes(32))
    scene.send_instead(lambda far: (wrong,) if far is first else (scene.event,))
    assert_blamed(scene.network, scene.attacker, FaultCode.EQUIVOCATION)
