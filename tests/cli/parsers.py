"""The parser of each command, for the tests of what all commands have."""

from __future__ import annotations

import argparse

from p2prummi.cli import main as cli


def command_parsers() -> dict[str, argparse.ArgumentParser]:
    actions = cli.build_parser()._actions
    (subparsers,) = (action for action in actions if isinstance(action, argparse._SubParsersAction))
    return dict(subparsers.choices)
