"""One test vector: what it is, and the one form in which it is written.

A vector is a file `protocol/vectors/<topic>/<name>.json`; `protocol/vectors/README.md` describes its form.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

NAME = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What must be refused: the fault's code, the layer that must refuse it, and details."""

    code: str
    layer: str
    details: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """As the vector's `expect` shows it."""
        return {"fault": self.code, "layer": self.layer, **self.details}


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """An operation with its inputs, and what must come out: outputs, or one fault. `name` tells the fault."""

    name: str
    notes: str
    operation: str
    inputs: dict[str, Any]
    outputs: dict[str, Any] = field(default_factory=dict)
    fault: Fault | None = None

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name for a vector")
        if self.fault and self.outputs:
            raise ValueError(f"{self.name} both fails and gives something")

    def to_json(self) -> str:
        """The file's text: one form only, so that making vectors anew shows what has changed."""
        content: dict[str, Any] = {
            "notes": self.notes,
            "operation": self.operation,
            "input": self.inputs,
            "expect": self.fault.to_json() if self.fault else "ok",
        }
        if self.outputs:
            content["output"] = self.outputs
        return json.dumps(content, indent=1, ensure_ascii=True) + "\n"
