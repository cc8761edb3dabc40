"""The colours of the screen.

The tiles' colours are those of Okabe and Ito, which people see apart whatever their colour vision, and differ
in lightness too; a tile's letter says the same. Everything else that has a colour also has a mark or words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style

if TYPE_CHECKING:
    from collections.abc import Mapping

STYLE = Style.from_dict(
    {
        "title": "reverse",
        "title.turn": "reverse bold",
        "rule": "ansibrightblack",
        "head": "bold",
        "quiet": "ansibrightblack",
        "name": "bold",
        "number": "ansibrightblack",
        "changed": "bold",
        "good": "ansigreen",
        "bad": "ansired bold",
        "turn": "bold",
        "mark": "bold",
        "advice": "ansicyan",
        "question": "reverse bold",
        "prompt": "bold",
        "chosen": "reverse",
        "log.turn": "",
        "log.news": "ansicyan",
        "log.chat": "ansigreen",
        "log.trouble": "ansired",
        "tile.black": "bg:#e6e6e6 #000000",
        "tile.blue": "bg:#0072b2 #ffffff",
        "tile.red": "bg:#9b0030 #ffffff",
        "tile.orange": "bg:#e69f00 #000000",
        "tile.joker": "bg:#cc79a7 #000000",
        "tile.new": "bold underline",
        "tile.mine": "bold underline",
    }
)


def colour_depth(environment: Mapping[str, str]) -> ColorDepth | None:
    """No colour where NO_COLOR asks for none; None leaves it to the terminal's own figures."""
    return ColorDepth.DEPTH_1_BIT if environment.get("NO_COLOR") else None
