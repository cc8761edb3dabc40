"""The two lock files: all versions pinned and hashed, equal in both, and no trace of where they were made."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
LOCKS = ("requirements.lock", "requirements-test.lock")
# One requirement with its hashes, which follow on lines that end in a backslash but for the last.
REQUIREMENT = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; [^\\\n]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+$",
    re.MULTILINE,
)


def pins(lock: str) -> dict[str, str]:
    text = (ROOT / lock).read_text(encoding="utf-8")
    return {match["name"]: match["version"] for match in REQUIREMENT.finditer(text)}


def declared(section: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", line, maxsplit=1)[0].replace("_", "-") for line in section}


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_pinned_and_hashed_requirements_and_nothing_else(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    rest = REQUIREMENT.sub("", text)
    assert [line for line in rest.splitlines() if line and not line.lstrip().startswith("#")] == []
    assert re.findall(r"https?:|file:|index|find-links", text) == []


def test_the_test_lock_agrees_with_the_runtime_lock_on_every_version() -> None:
    runtime, test = (pins(lock) for lock in LOCKS)
    assert runtime.items() <= test.items()


def test_the_locks_hold_what_the_project_declares() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = document["project"]
    build = document["dependency-groups"]["build"]
    assert declared(project["dependencies"]) | declared(build) <= pins(LOCKS[0]).keys()
    assert declared(project["optional-dependencies"]["test"]) <= pins(LOCKS[1]).keys()
    assert build == document["build-system"]["requires"]


def test_the_curve_library_is_pinned_exactly() -> None:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (curve,) = (line for line in document["project"]["dependencies"] if line.startswith("btclib"))
    assert curve == f"btclib-secp256k1=={pins(LOCKS[0])['btclib-secp256k1']}"


@pytest.mark.parametrize(("name", "least"), [("zeroconf", (0, 149, 16)), ("msgpack", (1, 2, 1))])
def test_libraries_that_read_what_strangers_send_have_the_fixes_they_need(
    name: str, least: tuple[int, ...]
) -> None:
    for lock in LOCKS:
        assert tuple(map(int, pins(lock)[name].split("."))) >= least
