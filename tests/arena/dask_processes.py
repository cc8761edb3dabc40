"""A scheduler and workers as people start them: processes of the command `dask`, on ports that are free."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from typing import Self

ROOT = Path(__file__).parents[2]


class DaskProcesses:
    """What has been started in a directory; leaving the context ends all of it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self._processes: list[subprocess.Popen[str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.wait()
            assert process.stderr is not None
            process.stderr.close()

    def scheduler(self) -> tuple[subprocess.Popen[str], str]:
        """A scheduler that listens, and its address."""
        process, address = self._started(
            "Scheduler at:",
            *("scheduler", "--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"),
        )
        return process, address

    def worker(self, address: str, python_path: Path = ROOT) -> subprocess.Popen[str]:
        """A worker of one thread that has registered, and imports from that path."""
        process, _ = self._started(
            "Registered to:",
            *("worker", address, "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard"),
            *("--local-directory", str(self.directory)),
            python_path=python_path,
        )
        return process

    def _started(
        self, words: str, *arguments: str, python_path: Path = ROOT
    ) -> tuple[subprocess.Popen[str], str]:
        """A process that has logged these words, and what it logged after them."""
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments],
            env={**os.environ, "PYTHONPATH": str(python_path)},
            cwd=self.directory,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._processes.append(process)
        assert process.stderr is not None
        log = []
        for line in process.stderr:
            log.append(line)
            if found := re.search(rf"{words}\s*(\S+)", line):
                # Whatever else it logs must not fill the pipe.
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return process, found[1]
        raise AssertionError(f"dask {arguments[0]} has ended: {''.join(log)}")
