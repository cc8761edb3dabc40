"""The fingerprint of an identity key: the text by which people and service records tell peers apart.

It is the first 80 bits of a labelled hash of the key, in base 32 (a-z, 2-7), in four groups of four. Nothing
is decided by it: two peers know each other by the whole key.
"""

from __future__ import annotations

import base64
import re
from typing import Final

from p2prummi.crypto.labels import Label, digest

FINGERPRINT_BYTES: Final = 10
FINGERPRINT_PATTERN: Final = re.compile(r"[a-z2-7]{4}(?:-[a-z2-7]{4}){3}")


def fingerprint(key: bytes) -> str:
    """Returns the fingerprint of a public identity key of 32 bytes, such as `k7qf-2mza-x4td-bc3e`."""
    letters = base64.b32encode(digest(Label.FINGERPRINT, key)[:FINGERPRINT_BYTES]).decode().lower()
    return "-".join(letters[start : start + 4] for start in range(0, len(letters), 4))


def is_fingerprint(text: str) -> bool:
    """Whether `text` has the form of a fingerprint."""
    return FINGERPRINT_PATTERN.fullmatch(text) is not None
