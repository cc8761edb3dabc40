"""The maker of vectors itself: names, single faults, stale files, unknown topics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import generate_vectors
import pytest
from vectors.vector import Fault, Vector

GOOD = Vector(name="one_good", notes="", operation="add", inputs={"a": 1}, outputs={"sum": 2})
BAD = Vector(
    name="one_bad", notes="", operation="add", inputs={}, fault=Fault(code="wrong_schema", layer="crypto")
)


def with_topic(monkeypatch: pytest.MonkeyPatch, *vectors: Vector) -> None:
    def made() -> Iterator[Vector]:
        yield from vectors

    monkeypatch.setattr(generate_vectors, "import_module", lambda name: SimpleNamespace(vectors=made))


def test_vector_is_written_in_one_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_topic(monkeypatch, GOOD, BAD)
    assert generate_vectors.generate("topic", tmp_path) == 2
    assert json.loads((tmp_path / "topic" / "one_good.json").read_text()) == {
        "notes": "",
        "operation": "add",
        "input": {"a": 1},
        "expect": "ok",
        "output": {"sum": 2},
    }
    bad = json.loads((tmp_path / "topic" / "one_bad.json").read_text())
    assert bad["expect"] == {"fault": "wrong_schema", "layer": "crypto"}
    assert "output" not in bad


def test_files_that_no_longer_belong_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_topic(monkeypatch, GOOD, BAD)
    generate_vectors.generate("topic", tmp_path)
    with_topic(monkeypatch, GOOD)
    generate_vectors.generate("topic", tmp_path)
    assert [path.name for path in (tmp_path / "topic").iterdir()] == ["one_good.json"]


def test_two_vectors_of_one_name_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_topic(monkeypatch, GOOD, GOOD)
    with pytest.raises(ValueError, match="one_good"):
        generate_vectors.generate("topic", tmp_path)


@pytest.mark.parametrize("name", ["", "One", "a__b", "a-b", "a/b", "_a"])
def test_name_is_a_plain_word(name: str) -> None:
    with pytest.raises(ValueError, match="name"):
        Vector(name=name, notes="", operation="add", inputs={})


def test_vector_that_fails_gives_nothing() -> None:
    with pytest.raises(ValueError, match="fails"):
        Vector(name="both", notes="", operation="add", inputs={}, outputs={"a": 1}, fault=BAD.fault)


def test_unknown_topic_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert generate_vectors.main(["nothing"]) == 2
    assert "crypto" in capsys.readouterr().err


def test_every_topic_has_its_folder() -> None:
    folders = {path.name for path in generate_vectors.TARGET.iterdir() if path.is_dir()}
    assert folders == set(generate_vectors.TOPICS)
