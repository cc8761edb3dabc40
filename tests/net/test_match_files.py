"""Names and places of finished matches."""

from __future__ import annotations

import os
import tempfile
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.net.identity import data_directory
from p2prummi.net.match_files import KeepingError, check_place, match_file_name, save_match

WHEN = datetime(2026, 1, 31, 20, 5)  # noqa: DTZ001 - only its digits matter here
KEY = bytes(range(32))
MATCH = bytes([0x3F, 0x9A, 0x1C, 0x02]) + bytes(28)


def name(room: str) -> str:
    return match_file_name(room=room, match_id=MATCH, own_key=KEY, when=WHEN)


@pytest.mark.parametrize(
    ("room", "safe"),
    [
        ("kitchen", "kitchen"),
        ("Känguru & Söhne", "kanguru-sohne"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON.txt\0\n", "con-txt"),
        ("台所", "room"),
        ("", "room"),
        ("a" * 48, "a" * 24),
        ("b" * 23 + "-c", "b" * 23),
    ],
)
def test_a_name_says_when_where_which_and_whose(room: str, safe: str) -> None:
    assert name(room).startswith(f"2026-01-31-2005-{safe}-3f9a1c02-")
    own = name(room).removesuffix(".p2prummi").rpartition("-")[2]
    assert len(own) == 8
    assert own != match_file_name(room=room, match_id=MATCH, own_key=bytes(32), when=WHEN)[-17:-9]


@given(room=st.text(max_size=60))
def test_any_room_gives_a_name_of_safe_characters(room: str) -> None:
    stem = name(room).removesuffix(".p2prummi")
    assert set(stem) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert len(stem) <= 70


def test_a_match_is_written_for_its_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "share" / "p2prummi"
    path = save_match(b"the match", room="kitchen", match_id=MATCH, own_key=KEY, when=WHEN, directory=place)
    assert path == place / name("kitchen")
    assert path.read_bytes() == b"the match"
    assert list(place.iterdir()) == [path]
    if os.name == "posix":
        assert (place.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)


@pytest.mark.skipif(os.name != "posix", reason="the variable is that of these systems")
def test_it_goes_where_the_platform_keeps_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = save_match(b"x", room="kitchen", match_id=MATCH, own_key=KEY, when=WHEN)
    assert path.parent == data_directory()
    if os.uname().sysname == "Linux":
        assert path.parent == tmp_path / "p2prummi"


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(KeepingError, match="set XDG_DATA_HOME") as kept:
            save_match(b"x", room="kitchen", match_id=MATCH, own_key=KEY, when=WHEN, directory=place)
        with pytest.raises(KeepingError) as checked:
            check_place(place)
        assert str(kept.value) == str(checked.value)
        assert f"can't be kept in {place} (" in str(kept.value)
        assert "Errno" not in str(kept.value)


def test_a_look_at_the_place_leaves_nothing_in_it(tmp_path: Path) -> None:
    check_place(tmp_path / "share")
    assert list((tmp_path / "share").iterdir()) == []


def test_a_directory_that_takes_no_files_is_found_at_the_first_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    with pytest.raises(KeepingError, match="Permission denied"):
        check_place(tmp_path)
