"""The identity on disk: one key a profile, one process a profile, and nothing damaged is ever replaced."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.files import FileLock, set_aside, write_private
from p2prummi.net.identity import KEY_FILE, IdentityError, open_profile, state_directory

posix = pytest.mark.skipif(os.name != "posix", reason="permissions by mode are there on POSIX only")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_profile_keeps_its_key(tmp_path: Path) -> None:
    first = open_profile(tmp_path)
    first.release()
    again = open_profile(tmp_path)
    assert (first.is_new, again.is_new) == (True, False)
    assert again.key.public == first.key.public
    assert again.fingerprint == fingerprint(first.key.public)
    again.release()


def test_a_further_player_takes_the_next_profile(tmp_path: Path) -> None:
    first, second = open_profile(tmp_path), open_profile(tmp_path)
    assert (first.number, second.number) == (1, 2)
    assert first.key.public != second.key.public
    first.release()
    third = open_profile(tmp_path)
    assert third.key.public == first.key.public
    third.release()
    second.release()


def test_another_process_takes_the_next_profile(tmp_path: Path) -> None:
    ours = open_profile(tmp_path)
    program = "from p2prummi.net.identity import open_profile; print(open_profile().number)"
    environment = {
        **os.environ,
        "XDG_STATE_HOME": str(tmp_path.parent),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    other = open_profile(tmp_path.parent / "p2prummi")
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ("2" if sys.platform == "linux" else done.stdout.strip())
    ours.release()
    other.release()


@posix
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        profile = open_profile(tmp_path / "state")
    finally:
        os.umask(old)
    assert mode(tmp_path / "state") == mode(profile.directory) == 0o700
    assert mode(profile.directory / KEY_FILE) == 0o600
    profile.release()


@posix
def test_a_key_that_others_could_read_is_taken_from_them_with_a_notice(tmp_path: Path) -> None:
    profile = open_profile(tmp_path)
    profile.release()
    (profile.directory / KEY_FILE).chmod(0o644)
    again = open_profile(tmp_path)
    assert mode(profile.directory / KEY_FILE) == 0o600
    assert len(again.notices) == 1
    assert profile.notices == ()
    again.release()


def damages(data: bytes) -> list[bytes]:
    flipped = bytes([data[30] ^ 1])
    return [
        b"",
        data[: len(data) // 2],
        data[:30] + flipped + data[31:],
        b"\xff" * 100,
        data + b"x",
        b"a " + data,
    ]


@pytest.mark.parametrize("which", range(6))
def test_a_damaged_key_is_left_alone_and_said_so(tmp_path: Path, which: int) -> None:
    profile = open_profile(tmp_path)
    profile.release()
    path = profile.directory / KEY_FILE
    damaged = damages(path.read_bytes())[which]
    path.write_bytes(damaged)
    with pytest.raises(IdentityError, match=r"damaged.*backup"):
        open_profile(tmp_path)
    assert path.read_bytes() == damaged
    path.rename(path.with_name("aside"))
    fresh = open_profile(tmp_path)
    assert fresh.number == 1
    fresh.release()


def test_a_place_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IdentityError, match="XDG_STATE_HOME"):
        open_profile(tmp_path / "file")


def test_the_secret_does_not_show(tmp_path: Path) -> None:
    profile = open_profile(tmp_path)
    assert profile.secret.data.hex() not in repr(profile)
    assert repr(profile.secret) == "Secret()"
    profile.release()


@pytest.mark.skipif(sys.platform != "linux", reason="XDG directories")
def test_the_state_directory_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert state_directory() == tmp_path / "p2prummi"


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_private(path, b"old")

    def fail(_: int) -> None:
        raise OSError("the disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full"):
        write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_damaged_files_are_kept_under_names_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for content in ("one", "two"):
        path.write_text(content)
        assert set_aside(path).read_text() == content
    assert not path.exists()


def test_a_lock_is_held_once(tmp_path: Path) -> None:
    one, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    assert one.acquire()
    assert not other.acquire()
    other.release()
    one.release()
    assert other.acquire()
    other.release()
