"""Fixtures of the network's tests: the laboratory of namespaces, and a profile in a directory of the test."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.net.lab import Lab, open_lab, why_unavailable


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that needs the laboratory is left out where there can be none, but never in CI."""
    reason = why_unavailable() if item.get_closest_marker("netns") else None
    if reason is not None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"the laboratory is to be there in CI: {reason}")
        pytest.skip(reason)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A laboratory that is taken down after the test."""
    yield from open_lab(tmp_path)
