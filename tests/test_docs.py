"""What the documents promise is there: commands, packages, links, records, changelog fragments."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from p2prummi.cli.main import build_parser

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "changelog.d").glob("*.md")])
SHELL_BLOCK = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")
PATH = re.compile(r"`([\w.-]*/[\w./*-]*)`")
FRAGMENT = re.compile(r"[a-z0-9-]+\.(?:added|changed|deprecated|removed|fixed|security)\.md")


def text_of(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


def commands_shown(text: str) -> list[list[str]]:
    """Return the arguments of each p2prummi command line in a document's shell blocks."""
    shown = []
    for block in SHELL_BLOCK.findall(text):
        for line in block.splitlines():
            words = shlex.split(line.rpartition(" | ")[2], comments=True)
            if words[:1] == ["p2prummi"]:
                shown.append(words[1:])
            elif words[:2] == ["python3", "scripts/play.py"]:
                shown.append(["play", *words[2:]])
    return shown


def parses(arguments: list[str]) -> bool:
    try:
        build_parser().parse_args(arguments)
    except SystemExit as ended:
        return ended.code == 0
    return True


@pytest.mark.parametrize("arguments", commands_shown(text_of("README.md")), ids=shlex.join)
def test_the_command_lines_of_the_readme_are_understood(arguments: list[str]) -> None:
    assert parses(arguments)


def test_the_readme_shows_every_command() -> None:
    (subparsers,) = (
        action for action in build_parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    shown = {arguments[0] for arguments in commands_shown(text_of("README.md"))}
    assert set(subparsers.choices) - shown == set()


def test_a_command_line_that_is_not_understood_is_found() -> None:
    text = "```sh\npython3 scripts/test.py\necho x | p2prummi no-such-command --at all  # comment\n```\n"
    assert commands_shown(text) == [["no-such-command", "--at", "all"]]
    assert not parses(["no-such-command"])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    placeholders = {"NNNN-title.md"}
    assert [name for name in targets if not (document.parent / name).exists()] in ([], [*placeholders])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_files_that_are_named_exist(document: Path) -> None:
    named = PATH.findall(document.read_text(encoding="utf-8"))
    roots = (ROOT, ROOT / "p2prummi")
    assert [name for name in named if not any(any(root.glob(name.rstrip("/"))) for root in roots)] == []


def test_the_layer_table_names_the_packages_that_there_are() -> None:
    rows = re.findall(r"^\| \d \| `(\w+)` \|", text_of("docs", "ARCHITECTURE.md"), re.MULTILINE)
    package = ROOT / "p2prummi"
    present = {path.parent.name for path in package.glob("*/__init__.py")}
    present |= {path.stem for path in package.glob("*.py") if not path.stem.startswith("__")}
    assert sorted(rows) == sorted(present)


def test_every_record_is_listed_with_its_title_and_status() -> None:
    index = text_of("docs", "adr", "README.md")
    for path in sorted((ROOT / "docs" / "adr").glob("[0-9]*.md")):
        heading, _, rest = path.read_text(encoding="utf-8").partition("\n")
        number, _, title = heading.removeprefix("# ").partition(": ")
        status = re.search(r"^Status: (.+)$", rest, re.MULTILINE)
        assert status is not None
        assert f"| [{number}]({path.name}) | {title} | {status[1]} |" in index


def test_the_fragments_keep_to_their_form() -> None:
    names = {path.name for path in (ROOT / "changelog.d").iterdir()} - {"README.md"}
    assert [name for name in sorted(names) if not FRAGMENT.fullmatch(name)] == []
