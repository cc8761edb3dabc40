"""What the tests of the wire share: a value of every shape, and asking for the refusal of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import strategies as st

from p2prummi.errors import RemoteProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2prummi.wire.encoding import Value


def refusal_of(function: Callable[..., Any], *arguments: Any) -> RemoteProtocolError:
    """The refusal with which `function` answers; anything else fails the test."""
    with pytest.raises(RemoteProtocolError) as caught:
        function(*arguments)
    assert caught.value.text
    return caught.value


def result_or_refusal(function: Callable[..., Any], *arguments: Any) -> Any:
    """What `function` gives, or the refusal that it raises; any other exception fails the test."""
    try:
        return function(*arguments)
    except RemoteProtocolError as refusal:
        return refusal


def values() -> st.SearchStrategy[Value]:
    """Values that travel, well within every limit of size and depth."""
    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
    scalars: st.SearchStrategy[Value] = (
        st.booleans() | st.integers(-(2**63), 2**64 - 1) | texts | st.binary(max_size=300)
    )
    return st.recursive(
        scalars,
        lambda below: st.lists(below, max_size=20).map(tuple) | st.dictionaries(texts, below, max_size=5),
        max_leaves=20,
    ).filter(lambda value: depth(value) <= 8)


def depth(value: Value) -> int:
    """How many levels lie below the outermost one."""
    match value:
        case tuple():
            return 1 + max(map(depth, value)) if value else 0
        case dict():
            return 1 + max(map(depth, value.values())) if value else 0
        case _:
            return 0
