"""Somebody else's code in a thread other than the first, which it can neither end nor keep alive."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, TypeVar

from p2prummi.bots import Decision, decide
from p2prummi.bots.deciding import failed

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from p2prummi.bots import PlayerView, Strategy

Made = TypeVar("Made")


def decide_apart(strategy: Strategy, view: PlayerView, rng: random.Random) -> Decision:
    """What `decide` says in a thread other than the first, where no interrupt comes: all is its own."""
    try:
        return decide(strategy, view, rng)
    except BaseException as error:  # noqa: BLE001 - see above
        return failed(view, error)


def made_apart(make: Callable[[], Made]) -> Made:
    """What `make` makes, in a thread that does not keep the process alive, nor do those that it starts."""
    made: list[Made] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            made.append(make())
        except BaseException as error:  # noqa: BLE001 - raised again below
            errors.append(error)

    thread = threading.Thread(target=run, name="p2prummi-making", daemon=True)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return made[0]
