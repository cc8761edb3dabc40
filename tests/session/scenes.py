"""One match of three, caught whenever its last seat has sent a first event of a kind that has not yet come.

There an attacker can put anything in that event's place: see `claims.py`, `test_attacks.py`, `test_sweep.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from p2prummi.session.notices import FaultSeen, MatchEnd, MatchEnded
from p2prummi.session.round import Round
from p2prummi.testing.checkers import SharesWaitForFinality, event_in
from p2prummi.testing.network import Network, Passage, Peer, Watcher
from p2prummi.testing.players import open_and_draw
from p2prummi.transcript.evidence import Blame, write_evidence
from p2prummi.verifier import verify_evidence, verify_transcript
from p2prummi.wire import limits
from p2prummi.wire.events import PAYLOADS, Event
from tests.session.branching import Sent, branch, in_seat_order, replace_in_flight
from tests.session.matches import ends, seated, told

SEED = 10
"""A match in which the last seat, who did not open the room, draws, lays and passes."""


class _FirstOfKind(Watcher):
    """Sees the first event of each kind by the last seat; `fresh` holds those that are still on their way."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.fresh: list[Event] = []

    def sent(self, passage: Passage) -> None:
        event = event_in(passage.frame)
        if event is None or event.kind in self.seen or event.seat != 2:
            return
        self.seen.add(event.kind)
        self.fresh.append(event)


@dataclass(frozen=True)
class Scene:
    """A network in which `event` of the last seat is on its way to both others."""

    network: Network
    event: Event

    def branch(self) -> Scene:
        """The same, to go its own way from here."""
        return Scene(branch(self.network), self.event)

    @property
    def attacker(self) -> Peer:
        """The last seat."""
        return in_seat_order(self.network)[2]

    @property
    def honest(self) -> list[Peer]:
        """The others, by seat."""
        return in_seat_order(self.network)[:2]

    def send_instead(self, instead: Callable[[Peer], Iterable[Sent]]) -> None:
        """Lets the attacker send to each other peer what `instead` gives, and everything take its course."""
        replace_in_flight(self.network, self.attacker, self.event, instead)
        self.network.run()

    def send_to_all(self, *sent: Sent) -> None:
        """Lets the attacker send these to both others instead."""
        self.send_instead(lambda _far: sent)

    def wait(self) -> None:
        """Lets pass the time after which another head must be explained."""
        self.network.advance(limits.FORK_SECONDS_MAX + 1)


@cache
def scene_of(kind: str) -> Scene:
    """The scene of this kind; play a `branch` of it."""
    return _scenes()[kind]


@cache
def _scenes() -> dict[str, Scene]:
    network = seated(3, SEED, choose=open_and_draw)
    watcher = _FirstOfKind()
    network.watchers += [watcher, SharesWaitForFinality()]
    scenes: dict[str, Scene] = {}
    while len(scenes) < len(PAYLOADS):
        network.run(until=lambda: bool(watcher.fresh))
        network.finish_work()
        assert watcher.fresh, f"seed {SEED} lacks {PAYLOADS.keys() - scenes.keys()}"
        moment = branch(network)
        scenes |= {event.kind: Scene(moment, event) for event in watcher.fresh}
        watcher.fresh.clear()
    return scenes


def round_of(peer: Peer) -> Round:
    """A peer's running round."""
    run = peer.session._run
    assert run is not None
    assert run.round is not None
    return run.round


def send_no_more_events(scene: Scene) -> None:
    """Lets the attacker answer nobody who asks what it has signed."""
    scene.network.tap = lambda sender, _receiver, frame: (
        [] if sender == scene.attacker.public and event_in(frame) is not None else [frame]
    )


def assert_blamed(network: Network, culprit: Peer, *codes: FaultCode) -> None:
    """Every peer but the culprit blames the culprit alone, with one of these codes, and its files hold."""
    for peer in (peer for peer in network if peer is not culprit):
        (end,) = told(peer, MatchEnded)
        (fault,) = told(peer, FaultSeen)
        assert fault.signed, peer.name
        assert fault.peer == culprit.public
        assert fault.code in codes, f"{peer.name}: {fault.code}: {fault.text}"
        assert (end.reason, end.peer, end.winners) == (MatchEnd.FAULT, culprit.public, ())
        verdict = verify_transcript(end.transcript, SeededEntropy(b"weights"))
        assert verdict.ok
        assert verdict.match is not None
        assert verdict.match.head == end.head
        assert_proved(fault, end)


def assert_proved(fault: FaultSeen, end: MatchEnded) -> None:
    """What a peer keeps as evidence leads whoever has its match's file to the same verdict."""
    assert fault.peer is not None
    evidence = write_evidence(Blame(fault.code, fault.text, fault.peer), fault.evidence)
    verdict = verify_evidence(evidence, [end.transcript], SeededEntropy(b"weights"))
    assert (verdict.said, verdict.why) == (verdict.found, "")
    assert verdict.ok


def assert_link_refused(network: Network, culprit: Peer, *codes: FaultCode) -> None:
    """Whoever sees the fault first closes its link to the culprit, and blames nobody else; the match is over.

    The others may hear of the lost link before they see the fault.
    """
    honest = [peer for peer in network if peer is not culprit]
    faults = [(peer, fault) for peer in honest for fault in told(peer, FaultSeen)]
    assert faults
    for peer, fault in faults:
        assert not fault.signed
        assert fault.peer == culprit.public
        assert fault.code in codes, f"{peer.name}: {fault.code}: {fault.text}"
        assert peer.closed == [(culprit.public, fault.code)]
    assert all(network.is_linked(*honest[index : index + 2]) for index in range(len(honest) - 1))
    assert {end.reason for _, end in ends(network)} == {MatchEnd.LINK_LOST}
