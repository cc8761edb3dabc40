"""Makes `.venv` from a lock file and hands over to it: what `play.py` and `test.py` have in common.

Rules:

- Standard library only; it runs on the user's own Python, 3.11 or newer, on Linux, macOS and Windows.
- Nothing is installed but what the lock names, each file checked against its hash; then the project itself.
- A *stamp* in `.venv` says what is installed there. It is removed before anything is touched and written
  last, so that an interrupted set-up can't pass for a finished one. No stamp, or one of another Python or
  another place: the folder is made anew. Another lock: that lock is installed into it.
- One set-up at a time: a second one waits for the first and then finds its work done.
- What it says goes to stderr; stdout belongs to the program that it hands over to.

The checks that `test.py` runs are in `checks.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
RUNTIME_LOCK = "requirements.lock"
TEST_LOCK = "requirements-test.lock"
# What a lock brings besides itself: the locks agree on every version, which a test checks.
COVERED_LOCKS = {RUNTIME_LOCK: (RUNTIME_LOCK,), TEST_LOCK: (TEST_LOCK, RUNTIME_LOCK)}
WINDOWS = os.name == "nt"
LOCK_POLL_SECONDS = 0.2
SETUP_FAILED = 3
INTERRUPTED = 130


class SetupError(Exception):
    """The environment could not be made; the text says what to do."""


def say(text: str) -> None:
    """Tell the user what is being done."""
    print(text, file=sys.stderr, flush=True)


def script(name: str) -> str:
    """Return the path of a script beside this one."""
    return str(ROOT / "scripts" / name)


def base_python() -> str:
    """Return the Python to build from; not that of an environment, which may be the one that is replaced."""
    return getattr(sys, "_base_executable", None) or sys.executable


@dataclass(frozen=True, slots=True)
class Environment:
    """The `.venv` of the project at `root`."""

    root: Path

    @property
    def folder(self) -> Path:
        """The environment's folder."""
        return self.root / ".venv"

    @property
    def stamp(self) -> Path:
        """The file that says what is installed."""
        return self.folder / "p2prummi-stamp.json"

    @property
    def python(self) -> Path:
        """The environment's interpreter."""
        if WINDOWS:
            return self.folder / "Scripts" / "python.exe"
        return self.folder / "bin" / "python"

    def facts(self) -> dict[str, str]:
        """Return what an environment is tied to for good: a change of any of these calls for a new one."""
        return {"python": sys.version, "base": os.path.realpath(base_python()), "root": str(self.root)}

    def lock_hash(self, lock: str) -> str:
        """Return the hash of a lock file and of the project's metadata, which is installed with it."""
        digest = hashlib.sha256()
        for name in (lock, "pyproject.toml"):
            content = (self.root / name).read_bytes()
            digest.update(len(content).to_bytes(8, "big") + content)
        return digest.hexdigest()

    def read_stamp(self) -> dict[str, object]:
        """Return the stamp's content; empty when there is none or it can't be read."""
        try:
            content = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return content if isinstance(content, dict) else {}

    def is_whole(self) -> bool:
        """Tell whether a set-up was finished here, by this Python and in this place, and still answers."""
        return self.read_stamp().get("facts") == self.facts() and self.answers()

    def answers(self) -> bool:
        """Tell whether the environment's interpreter runs and takes this folder for its own."""
        question = [str(self.python), "-I", "-c", "import sys; print(sys.prefix)"]
        try:
            answer = subprocess.run(question, capture_output=True, check=True, text=True).stdout
            return Path(answer.strip()).samefile(self.folder)
        except (OSError, subprocess.CalledProcessError):
            return False

    def is_ready(self, lock: str) -> bool:
        """Tell whether everything that the lock names is installed."""
        installed = self.read_stamp().get("locks")
        has_lock = isinstance(installed, dict) and installed.get(lock) == self.lock_hash(lock)
        return has_lock and self.is_whole()

    def make_ready(self, lock: str) -> None:
        """Bring the environment to what the lock names; fast when it is there already.

        Raises:
            SetupError: with words on what to do.
        """
        if self.is_ready(lock):
            return
        with only_one_setup(self.root / ".venv.lock"):
            if self.is_ready(lock):
                return
            if self.is_whole():
                self.stamp.unlink()
            else:
                self.create()
            self.install(lock)
            locks = {name: self.lock_hash(name) for name in COVERED_LOCKS[lock]}
            self.stamp.write_text(json.dumps({"facts": self.facts(), "locks": locks}), encoding="utf-8")

    def create(self) -> None:
        """Make an empty environment, in the place of whatever is there."""
        for module in ("venv", "ensurepip"):
            if importlib.util.find_spec(module) is None:
                message = (
                    f"This Python ({sys.executable}) comes without its module '{module}'. On Debian and "
                    "Ubuntu `sudo apt install python3-venv` brings it; elsewhere take Python from python.org."
                )
                raise SetupError(message)
        if self.folder.is_symlink() or self.folder.is_file():
            self.folder.unlink()
        elif self.folder.exists():
            say(f"{self.folder} is incomplete or was made by another Python: making it anew.")
            self.stamp.unlink(missing_ok=True)
            shutil.rmtree(self.folder)
        say(f"Making {self.folder} with Python {sys.version.split()[0]} ...")
        self.run("make the environment", [base_python(), "-m", "venv", str(self.folder)])

    def install(self, lock: str) -> None:
        """Install what the lock names, by its hashes, and then the project itself as an editable."""
        pip = [str(self.python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        say(f"Installing what {lock} names, each file checked against its hash ...")
        self.run(f"install {lock}", [*pip, "--require-hashes", "--requirement", str(self.root / lock)])
        say("Installing p2prummi itself ...")
        project = ["--no-deps", "--no-index", "--no-build-isolation", "--editable", str(self.root)]
        self.run("install p2prummi", [*pip, *project])
        say("Ready.")

    def run(self, what: str, command: list[str]) -> None:
        """Run one step of the set-up; its own output goes to stderr.

        The step inherits the set-up lock (`close_fds`), so that it is held until the last step has ended
        even when this process is killed first.
        """
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=sys.stderr, close_fds=False, check=False
            )
        except OSError as error:
            raise SetupError(f"Could not {what}: {error}") from error
        if done.returncode != 0:
            message = f"Could not {what} (exit code {done.returncode}); what is above says why."
            raise SetupError(f"{message} Running this again starts afresh.")


def try_lock(file: int) -> bool:
    """Take the lock on an open file if nobody has it; closing the file gives it back."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - only Windows has it

            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - only Unix has it

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.set_inheritable(file, True)
    except (BlockingIOError, PermissionError):
        return False
    return True


@contextlib.contextmanager
def only_one_setup(path: Path) -> Iterator[None]:
    """Hold the set-up lock; the system gives it back when a process dies."""
    with path.open("a") as file:
        if not try_lock(file.fileno()):
            say("Another set-up is running here; waiting for it ...")
            while not try_lock(file.fileno()):
                time.sleep(LOCK_POLL_SECONDS)
        yield


def hand_over(command: list[str]) -> int:
    """Become the command; where a system can't do that (Windows), run it and return its exit code."""
    if not WINDOWS:
        os.execv(command[0], command)  # noqa: S606 - no shell is wanted
    # Ctrl-C reaches both processes; what it means is for the program to say.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return subprocess.run(command, check=False).returncode


def main(lock: str, program: list[str], arguments: list[str]) -> int:
    """Make `.venv` ready for the lock, then run its Python on the program; return the exit code."""
    environment = Environment(ROOT)
    try:
        environment.make_ready(lock)
    except SetupError as error:
        say(str(error))
        return SETUP_FAILED
    except OSError as error:
        say(f"Could not set up {environment.folder}: {error}")
        return SETUP_FAILED
    except KeyboardInterrupt:
        say("Interrupted; running this again starts the set-up afresh.")
        return INTERRUPTED
    return hand_over([str(environment.python), *program, *arguments])
