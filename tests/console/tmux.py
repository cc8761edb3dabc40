"""A terminal for tests: tmux with a server of its own for each, looked at until something is there."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
import time
import uuid
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

PATIENCE_SECONDS = 60.0
ROOT_ARGUMENTS = ("-f", "/dev/null")


class Tmux:
    """One terminal with a shell in it; `with` ends it and all that runs in it."""

    def __init__(
        self, directory: Path, environment: Mapping[str, str], columns: int = 80, rows: int = 24
    ) -> None:
        self._server = f"p2prummi-test-{uuid.uuid4().hex[:12]}"
        self._directory = directory
        # Sockets have short paths only, and are left behind: they get a folder of their own.
        self._sockets = tempfile.TemporaryDirectory(prefix="p2prummi-")
        self._environment = {**os.environ, **environment, "TMUX_TMPDIR": self._sockets.name}
        self._size = (str(columns), str(rows))

    def __enter__(self) -> Self:
        columns, rows = self._size
        shell = "exec env PS1='ready> ' bash --norc --noprofile"
        self._call(*ROOT_ARGUMENTS, "new-session", "-d", "-x", columns, "-y", rows, shell)
        self._call("set-option", "-g", "remain-on-exit", "on")
        self.until_shown("ready>")
        return self

    def __exit__(self, *_: object) -> None:
        with self._sockets:
            self._call("kill-server")

    def run(self, *command: str) -> None:
        """Types a command line; its exit code is shown afterwards as `exit code N.`."""
        self.type(f"{shlex.join(command)}; echo exit code $?.")

    def type(self, line: str) -> None:
        self._call("send-keys", "-l", line)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        self._call("send-keys", *keys)

    def resize(self, columns: int, rows: int) -> None:
        self._call("resize-window", "-x", str(columns), "-y", str(rows))

    @property
    def text(self) -> str:
        return self._call("capture-pane", "-p")

    def flag(self, name: str) -> str:
        """A format of tmux, such as `alternate_on` or `mouse_any_flag`."""
        return self._call("display-message", "-p", f"#{{{name}}}").strip()

    def until_shown(self, *texts: str) -> None:
        end = time.monotonic() + PATIENCE_SECONDS
        while not all(each in self.text for each in texts):
            assert time.monotonic() < end, f"never seen: {texts}; the screen:\n{self.text}"
            time.sleep(0.05)

    def _call(self, *arguments: str) -> str:
        done = subprocess.run(
            ["tmux", "-u", "-L", self._server, *arguments],
            cwd=self._directory,
            env=self._environment,
            check=True,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        return done.stdout
