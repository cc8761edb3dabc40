"""The label under which a peer is shown: its name, and what tells it apart from others of that name.

A peer is its key; names are only labels, as they came from the network. Where two peers are called the same,
the beginning of the fingerprint tells them apart: as many of its groups as it takes, since another key with
the same first group is found within seconds. A name that ends as if something had been put behind it is
marked too, and so can't pass for the label of somebody else.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from p2prummi.crypto.fingerprint import fingerprint, is_fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def peer_label(key: bytes, names: Mapping[bytes, str]) -> str:
    """The label of a peer, which no other key of `names` has.

    `names` holds names as `shown` returns them. The label is the peer's own, with a mark behind it where
    another is called the same, and the fingerprint where there is none.
    """
    name = names.get(key, "")
    if name in {"", fingerprint(key)}:
        return fingerprint(key)
    folded = _folded(name)
    namesakes = [other for other, each in names.items() if other != key and _folded(each) == folded]
    if namesakes or folded.endswith(")") or is_fingerprint(folded):
        return f"{name} ({_mark(key, namesakes)})"
    return name


def _folded(name: str) -> str:
    """The name without what hardly anyone sees: case, and the width and style of letters."""
    return unicodedata.normalize("NFKC", name).casefold()


def _mark(key: bytes, namesakes: Iterable[bytes]) -> str:
    """The first groups of the key's fingerprint: as few as no namesake's begins with."""
    groups = fingerprint(key).split("-")
    others = [fingerprint(other) for other in namesakes]
    beginnings = ("-".join(groups[:count]) for count in range(1, len(groups)))
    return next(
        (each for each in beginnings if not any(other.startswith(each) for other in others)), "-".join(groups)
    )
