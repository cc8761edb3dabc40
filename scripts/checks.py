"""Every check that must hold, one after another, with a summary at the end: what `test.py` runs in `.venv`.

All of them run even after one has failed, so that one run says all there is to mend. A check whose subject
is not in the tree is left out.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
VECTORS = ROOT / "protocol" / "vectors"
# Two workers: what the smallest machine that builds this has; `loadgroup` keeps `tests/net` on one of them.
PYTEST = ["pytest", "--numprocesses", "2", "--dist", "loadgroup", "--cov", "--cov-report="]


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that must hold: `run` says whether it does; `subject` is the script that it needs, if any."""

    name: str
    run: Callable[[], bool]
    subject: Path | None = None


def succeeds(*command: str) -> Callable[[], bool]:
    """Return a check that runs a command and wants exit code 0."""
    return lambda: subprocess.run(command, cwd=ROOT, check=False).returncode == 0


def module(*arguments: str) -> Callable[[], bool]:
    """Return a check that runs a Python module with arguments."""
    return succeeds(sys.executable, "-m", *arguments)


def script(path: Path) -> Callable[[], bool]:
    """Return a check that runs a Python script."""
    return succeeds(sys.executable, str(path))


def tool(name: str, *arguments: str) -> Callable[[], bool]:
    """Return a check that runs a program which was installed beside this Python."""
    return succeeds(shutil.which(name, path=Path(sys.executable).parent) or name, *arguments)


def snapshot(folder: Path) -> dict[str, bytes]:
    """Return the content of every file below a folder, by its path in there."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def unchanged_by(generate: Callable[[], bool], folder: Path) -> bool:
    """Run a generator and tell whether it left the folder exactly as it was; name what differs."""
    before = snapshot(folder)
    succeeded = generate()
    after = snapshot(folder)
    differing = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    for name in differing:
        print(f"{folder.name}/{name} is not what the generator writes", file=sys.stderr)
    return succeeded and not differing


GENERATE_VECTORS = ROOT / "scripts" / "generate_vectors.py"
VERIFY_VECTORS = ROOT / "scripts" / "verify_vectors.py"
CHECKS = (
    Check("format", module("ruff", "format", "--check")),
    Check("lint", module("ruff", "check")),
    Check("types", module("mypy")),
    Check("types on Windows", module("mypy", "--platform", "win32", "p2prummi")),
    Check("types on macOS", module("mypy", "--platform", "darwin", "p2prummi")),
    Check("layers", tool("lint-imports", "--no-logo")),
    Check("vectors regenerate", lambda: unchanged_by(script(GENERATE_VECTORS), VECTORS), GENERATE_VECTORS),
    Check("vectors verify", script(VERIFY_VECTORS), VERIFY_VECTORS),
    Check("tests", module(*PYTEST)),
    Check("coverage floors", script(ROOT / "scripts" / "coverage_floors.py")),
)


def run_all(checks: tuple[Check, ...]) -> bool:
    """Run the checks that have a subject, print the summary, and tell whether all of them hold."""
    rows: list[str] = []
    failed = 0
    for check in checks:
        if check.subject is not None and not check.subject.exists():
            continue
        print(f"\n--- {check.name}", flush=True)
        started = time.monotonic()
        holds = check.run()
        failed += not holds
        rows.append(f"{'ok' if holds else 'FAILED':<8}{check.name:<20}{time.monotonic() - started:6.1f} s")
    print("\n--- summary", *rows, sep="\n")
    print(f"{failed} of {len(rows)} checks failed" if failed else f"All {len(rows)} checks hold", flush=True)
    return failed == 0


if __name__ == "__main__":
    sys.exit(0 if run_all(CHECKS) else 1)
