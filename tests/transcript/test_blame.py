"""What a blamed fault comes with as evidence: what its culprit signed, and what else it takes to see it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.rules import PRESETS
from p2prummi.transcript import replay
from p2prummi.transcript.blame import SignedFaultError, signed_fault
from p2prummi.transcript.phases import Phase
from p2prummi.wire.events import Event, Reveal
from tests.transcript.rounds import ENTROPY, Table, match_of
from tests.transcript.test_replay import with_keys


def blamed(table: Table, step: tuple[Event, ...]) -> SignedFaultError:
    """The fault of a step, with its evidence."""
    keys = table.state.terms.keys
    with pytest.raises(RemoteProtocolError) as raised:
        replay.advance(table.state, step, ENTROPY)
    fault = signed_fault(raised.value, step, keys)
    assert isinstance(fault, SignedFaultError)
    return fault


@pytest.mark.parametrize(
    ("secrets", "seats"), [([5, 7, 5], (0, 2)), ([7, 5, 5], (1, 2)), ([5, 5, 5], (0, 1))]
)
def test_a_reused_key_takes_the_event_that_shows_it_first(secrets: list[int], seats: tuple[int, int]) -> None:
    table = Table.of(match_of(PRESETS["official"], 3))
    with_keys(table, secrets)
    table.reach(Phase.REVEAL)
    step = table.due()
    fault = blamed(table, step)
    assert (fault.code, fault.culprit) == (FaultCode.KEY_REUSED, table.state.terms.keys[seats[1]])
    assert fault.evidence == tuple(step[seat] for seat in seats)


def test_any_other_fault_takes_the_culprits_event_alone() -> None:
    table = Table.of(match_of(PRESETS["official"], 3))
    table.reach(Phase.REVEAL)
    first, second, third = table.due()
    author = table.authors[1]
    assert isinstance(second.payload, Reveal)
    wrong = author.sign(table.state, replace(second.payload, coin=bytes(32)))
    fault = blamed(table, (first, wrong, third))
    assert (fault.code, fault.evidence) == (FaultCode.COMMITMENT_MISMATCH, (wrong,))


def test_what_nobody_is_to_blame_for_stays_as_it_is() -> None:
    error = RemoteProtocolError(FaultCode.NEUTRAL_ELEMENT, "the keys cancel each other")
    assert signed_fault(error, (), ()) is error
