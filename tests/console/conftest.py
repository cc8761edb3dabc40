"""The fixture that runs a console on a scene."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.input import create_pipe_input

from p2prummi.console.settings import Outcome
from tests.console.terminal_scene import Scene

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

    from p2prummi.net.driver import AnyNotice


@pytest.fixture
def act(tmp_path: Path) -> Iterator[Callable[..., Outcome]]:
    """Runs a console on a scene until it ends."""
    with create_pipe_input() as keys:

        def run(
            play: Callable[[Scene], Awaitable[None]],
            *told: AnyNotice,
            environment: dict[str, str] | None = None,
        ) -> Outcome:
            async def both() -> Outcome:
                scene = Scene(keys, tmp_path, told, environment or {})
                running = asyncio.ensure_future(scene.terminal.run(scene.port))
                playing = asyncio.ensure_future(play(scene))
                await asyncio.wait({running, playing}, return_when=asyncio.FIRST_COMPLETED)
                await playing
                scene.terminal.leave(Outcome.DONE)
                return await running

            return asyncio.run(both())

        yield run
