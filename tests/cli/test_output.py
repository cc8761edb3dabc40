"""The streams that a command has for itself while code of somebody else runs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from p2prummi.cli.output import own_streams

SCRIPT = """
import os, sys
from p2prummi.cli.output import own_streams

with own_streams() as streams:
    print("printed")
    os.write(1, b"by its number\\n")
    streams.output.write("figures\\n")
    {harm}
    streams.errors.write("a notice\\n")
    streams.output.write("more figures\\n")
print("the next command")
sys.stderr.write("its notice\\n")
"""


@pytest.mark.parametrize(
    "harm",
    [
        "pass",
        "sys.stdout.close()",
        "sys.__stdout__.close()",
        "sys.stdout = sys.stderr = None",
        "sys.stderr.close()",
        "os.close(1)",
        # Goes out with the flush at the end, after all else.
        "sys.__stdout__.write('late\\n')",
    ],
)
def test_they_are_nobody_elses_and_others_come_back_whatever_was_done_to_them(harm: str) -> None:
    # A stream that takes the place of one that was closed stays open to the end.
    warnings = "ignore" if "close()" in harm else "always"
    # Buffered, as standard output is where nobody asks for anything else.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(
        [sys.executable, "-W", warnings, "-c", SCRIPT.format(harm=harm)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == "figures\nmore figures\nthe next command\n"
    late = "late\n" if "late" in harm else ""
    assert ended.stderr == f"printed\nby its number\na notice\n{late}its notice\n"
    assert ended.returncode == 0


def test_where_the_streams_are_not_the_systems_prints_go_to_errors_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with own_streams() as streams:
        sys.stdout.write("printed\n")
        streams.output.write("figures\n")
        streams.errors.write("a notice\n")
    assert capsys.readouterr() == ("figures\n", "printed\na notice\n")
