"""Known peers: the first meeting is trusted, and a known name under another key is flagged once."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2prummi.net import known_peers as module
from p2prummi.net.known_peers import PEERS_FILE, KnownPeer, Meeting, Recognition, load_known_peers

BOB, OTHER, THIRD = bytes([1]) * 32, bytes([2]) * 32, bytes([3]) * 32


def test_meetings(tmp_path: Path) -> None:
    known, notice = load_known_peers(tmp_path)
    assert notice is None
    assert known.meet(BOB, "bob") == Meeting(recognition=Recognition.NEW, is_first=True)
    assert known.meet(BOB, "bob") == Meeting(recognition=Recognition.KNOWN, is_first=False)
    renamed = known.meet(BOB, "robert")
    assert renamed == Meeting(recognition=Recognition.RENAMED, is_first=False, old_name="bob")


def test_a_name_under_another_key_is_flagged_once_and_stays_doubted(tmp_path: Path) -> None:
    known, _ = load_known_peers(tmp_path)
    known.meet(BOB, "bob")
    first = known.meet(OTHER, "Bob")
    assert first == Meeting(recognition=Recognition.OTHER_KEY, is_first=True, namesake=BOB)
    again, _ = load_known_peers(tmp_path)
    assert again.meet(OTHER, "Bob") == Meeting(
        recognition=Recognition.OTHER_KEY, is_first=False, namesake=BOB
    )
    assert again.meet(BOB, "bob").recognition is Recognition.KNOWN


def test_trust_settles_it(tmp_path: Path) -> None:
    known, _ = load_known_peers(tmp_path)
    known.meet(BOB, "bob")
    known.meet(OTHER, "bob")
    known.trust(OTHER)
    known.trust(THIRD)
    again, _ = load_known_peers(tmp_path)
    assert again.meet(OTHER, "bob").recognition is Recognition.KNOWN
    assert again.get(THIRD) is None


def test_addresses_are_remembered_and_not_forgotten_for_none(tmp_path: Path) -> None:
    known, _ = load_known_peers(tmp_path)
    known.meet(BOB, "bob", ("10.0.0.1:1",))
    known.meet(BOB, "bob")
    again, _ = load_known_peers(tmp_path)
    assert again.get(BOB) == KnownPeer(key=BOB, name="bob", addresses=("10.0.0.1:1",))


def test_the_oldest_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PEERS_MAX", 2)
    known, _ = load_known_peers(tmp_path)
    known.meet(BOB, "bob")
    known.meet(OTHER, "olga")
    known.meet(BOB, "bob")
    known.meet(THIRD, "tim")
    assert [peer.key for peer in known] == [BOB, THIRD]


GOOD = '{"key": "' + "01" * 32 + '", "name": "bob", "doubted": false, "addresses": []}'


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"[]",
        b'{"peers": 5}',
        b'{"peers": [{}]}',
        b"[" * 100_000,
        b'{"peers": [' + GOOD.replace("01", "zz").encode() + b"]}",
        b'{"peers": [' + GOOD.replace("0101", "01").encode() + b"]}",
        b'{"peers": [' + GOOD.replace("false", "0").encode() + b"]}",
        b'{"peers": [' + GOOD.replace('"bob"', "5").encode() + b"]}",
        b'{"peers": [' + GOOD.replace("[]", "[5]").encode() + b"]}",
        b" " * (module.FILE_BYTES_MAX + 1),
    ],
)
def test_a_damaged_list_is_set_aside_with_a_notice(tmp_path: Path, content: bytes) -> None:
    (tmp_path / PEERS_FILE).write_bytes(content)
    known, notice = load_known_peers(tmp_path)
    assert list(known) == []
    assert notice is not None
    (aside,) = tmp_path.iterdir()
    assert str(aside) in notice
    assert aside.read_bytes() == content
