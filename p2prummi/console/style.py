"""The colours of the screen.

The tiles' colours are near those of Okabe and Ito, which people see apart whatever their colour vision, and
far apart in lightness; all are in the palette of 256 colours, so that they look alike everywhere. A tile's
letter says the same. Everything else that has a colour also has a mark or words.
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
        "tile.black": "bg:#e4e4e4 #000000",
        "tile.blue": "bg:#005faf #ffffff",
        "tile.red": "bg:#af0000 #ffffff",
        "tile.orange": "bg:#ffaf00 #000000",
        "tile.joker": "bg:#d787d7 #000000",
        "tile.new": "bold underline",
        "tile.mine": "bold underline",
    }
)


def colour_depth(environment: Mapping[str, str]) -> ColorDepth | None:
    """No colour where NO_COLOR asks for none; None leaves it to the terminal's own figures."""
    return ColorDepth.DEPTH_1_BIT if environment.get("NO_COLOR") else None
