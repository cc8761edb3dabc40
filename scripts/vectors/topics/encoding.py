"""Vectors of the canonical encoding: one form of every kind of value, and each way to get it wrong.

Operation `value`: reads `bytes` as one value, which `output` shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from p2prummi.errors import FaultCode
from tests.wire.forms import FORMS, MALFORMED, NOT_CANONICAL, OVER_LIMIT
from vectors.notation import to_json
from vectors.vector import Fault, Vector

# Longer forms are left to tests: what they show is their length alone.
BYTES_MAX = 8 * 1024


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    for number, (value, form) in enumerate(FORMS):
        yield Vector(
            name=f"form_{number:02}",
            notes=f"A value that begins with {form[:2]}, in its one form",
            operation="value",
            inputs={"bytes": form},
            outputs={"value": to_json(value)},
        )
    yield from _refused(FaultCode.NOT_CANONICAL, NOT_CANONICAL.items())
    yield from _refused(FaultCode.MALFORMED_FRAME, MALFORMED.items())
    yield from _refused(FaultCode.LIMIT_EXCEEDED, OVER_LIMIT.items())


def _refused(code: FaultCode, forms: Iterable[tuple[str, str]]) -> Iterator[Vector]:
    for words, form in forms:
        if len(form) > 2 * BYTES_MAX:
            continue
        yield Vector(
            name=f"{code}_{re.sub('[^a-z0-9]+', '_', words.lower()).strip('_')}",
            notes=words[0].upper() + words[1:],
            operation="value",
            inputs={"bytes": form},
            fault=Fault(code=code.value, layer="encoding"),
        )
