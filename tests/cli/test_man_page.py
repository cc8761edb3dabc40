"""The manual page: every command and option that there is and no other, in the wheel, readable by `man`."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import man_page
import pytest

from p2prummi import __version__
from p2prummi.cli.completion import actions_of
from p2prummi.cli.exit_codes import MEANINGS, ExitCode
from p2prummi.cli.main import build_parser
from tests.cli.parsers import command_parsers

ROOT = Path(__file__).parent.parent.parent
OPTION = re.compile(r"--[a-z][a-z-]*")


def page_as_read() -> str:
    """The page without the marks of its form."""
    page = man_page.own_man_page()
    for mark, text in (
        (r"\-", "-"),
        (r"\fB", ""),
        (r"\fI", ""),
        (r"\fR", ""),
        (r"\(aq", "'"),
        (r"\(ga", "`"),
    ):
        page = page.replace(mark, text)
    return page


def sections() -> dict[str, str]:
    """What is said of each command."""
    _, *parts = re.split(r"^\.S[SH] ", page_as_read().replace(".SH EXIT", ".SS EXIT"), flags=re.MULTILINE)
    return {part.split("\n")[0]: part for part in parts}


@pytest.mark.parametrize("name", sorted(command_parsers()))
def test_each_command_is_there_with_all_its_options_and_no_other(name: str) -> None:
    parser = command_parsers()[name]
    [section] = [text for title, text in sections().items() if title.split()[:2] == ["p2prummi", name]]
    options = {each for action in actions_of(parser) for each in action.option_strings}
    assert set(OPTION.findall(section)) == {option for option in options if option.startswith("--")}
    example = (parser.epilog or "").partition("example:\n")[2]
    assert all(line.strip() in section for line in example.splitlines())


def test_the_page_names_nothing_that_there_is_not() -> None:
    options = {each for action in actions_of(build_parser()) for each in action.option_strings}
    assert set(OPTION.findall(page_as_read())) <= options
    commands = {title.split()[1] for title in sections() if title.startswith("p2prummi ")}
    assert commands == set(command_parsers())


def test_every_exit_code_is_explained() -> None:
    assert set(MEANINGS) == set(ExitCode)
    for code, words in MEANINGS.items():
        assert f".TP\n{int(code)}\n{words[0].upper()}{words[1:]}.\n" in page_as_read()


def test_text_that_man_would_take_for_its_own_stays_text() -> None:
    assert man_page._text(".so x\n'a\\b") == r"\&.so x" + "\n" + r"\(aqa\eb"


@pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not there")
def test_man_finds_nothing_wrong_with_the_page() -> None:
    done = subprocess.run(
        ["groff", "-man", "-ww", "-z"],
        input=man_page.own_man_page(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""


def test_the_wheel_brings_the_page_to_where_man_looks(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        name = f"p2prummi-{__version__}.data/data/{man_page.INSTALLED}"
        assert wheel.read(name).decode() == man_page.own_man_page()
