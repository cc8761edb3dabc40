"""One link a pair: of two that are made at once, or one after the other, exactly one lives."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from p2prummi.errors import FaultCode
from p2prummi.session.handshake import Handshake, Linked
from p2prummi.session.pairing import Pairing
from p2prummi.wire import limits
from tests.session.handshakes import LARGE, SMALL, carry, expect_refusal, host, linked, run, stopped


def test_when_both_dial_at_once_exactly_one_link_lives() -> None:
    small, large = host(SMALL), host(LARGE)
    for first_is_small in (True, False):
        small.pairing, large.pairing = Pairing(SMALL.public), Pairing(LARGE.public)
        from_small = (small.dial(LARGE), large.listen())
        from_large = (large.dial(SMALL), small.listen())
        first, second = (from_small, from_large) if first_is_small else (from_large, from_small)
        run(*first)
        run(*second)
        linked(first[0].outcome)
        linked(first[1].outcome)
        dialler, listener = second
        if first_is_small:
            expect_refusal(listener, dialler, FaultCode.DUPLICATE_LINK)
        else:
            expect_refusal(dialler, listener, FaultCode.DUPLICATE_LINK)


@given(st.data())
def test_in_any_order_of_frames_exactly_one_link_lives(data: st.DataObject) -> None:
    small, large = host(SMALL), host(LARGE)
    pairs = [(small.dial(LARGE), large.listen()), (large.dial(SMALL), small.listen())]
    wires: list[tuple[Handshake, Handshake, list[bytes]]] = []
    for one, other in pairs:
        wires.extend([(one, other, []), (other, one, [])])

    def ready() -> Iterator[int]:
        for number, (sender, _, queue) in enumerate(wires):
            queue.extend(sender.frames_to_send())
            if queue:
                yield number

    while waiting := list(ready()):
        _, receiver, queue = wires[data.draw(st.sampled_from(waiting))]
        receiver.receive(queue.pop(0), 0.0)
    both = [all(isinstance(side.outcome, Linked) for side in pair) for pair in pairs]
    assert sorted(both) == [False, True]
    for pair, lives in zip(pairs, both, strict=True):
        if not lives:
            assert FaultCode.DUPLICATE_LINK in {stopped(side.outcome).code for side in pair}
    for peer in (small, large):
        assert len(peer.pairing.peers()) == 1


def test_a_young_link_stands_and_an_old_one_yields() -> None:
    small, large = host(SMALL), host(LARGE)
    first, listener = large.dial(SMALL), small.listen()
    run(first, listener, 50.0)
    old = linked(listener.outcome)
    again, listener = large.dial(SMALL), small.listen()
    run(again, listener, 50.0 + limits.CLAIM_SECONDS_MIN - 0.1)
    expect_refusal(listener, again, FaultCode.DUPLICATE_LINK)
    assert small.pairing.holds(old.claim)
    again, listener = large.dial(SMALL), small.listen()
    run(again, listener, 50.0 + limits.CLAIM_SECONDS_MIN)
    assert not small.pairing.holds(old.claim)
    assert small.pairing.holds(linked(listener.outcome).claim)


def test_a_claim_is_given_back_when_the_handshake_stops_after_it() -> None:
    small, large = host(SMALL), host(LARGE)
    dialler, listener = large.dial(SMALL), small.listen()
    carry(listener, dialler)
    carry(dialler, listener)
    assert small.pairing.peers() == {LARGE.public}
    listener.connection_lost()
    assert not small.pairing.peers()


def test_a_released_claim_does_not_take_the_next_one_with_it() -> None:
    pairing = Pairing(LARGE.public)
    first = pairing.claim(SMALL.public, 0.0)
    second = pairing.claim(SMALL.public, 0.0)
    assert first is not None
    assert second is not None
    pairing.release(first)
    assert pairing.holds(second)
    pairing.release(second)
    assert not pairing.holds(second)


def test_a_start_that_comes_after_another_connection_took_its_place_is_refused() -> None:
    small, large = host(SMALL), host(LARGE)
    slow, listener = large.dial(SMALL), small.listen()
    carry(listener, slow)
    carry(slow, listener)
    carry(listener, slow)
    small.pairing.claim(LARGE.public, limits.CLAIM_SECONDS_MIN)
    run(slow, listener, limits.CLAIM_SECONDS_MIN)
    assert stopped(listener.outcome).code == FaultCode.DUPLICATE_LINK
