"""Service records: they read back as they were written; a damaged one or another's is worth nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.addresses import HostPort
from p2prummi.net.records import read_record, write_record
from p2prummi.net.sightings import Status, facts_of
from p2prummi.wire import limits
from p2prummi.wire.hello import RoomAdvert

KEY = bytes(range(32))
HERE = (HostPort("10.77.0.1", 1),)
ADVERT = RoomAdvert(
    state="open",
    room_id=bytes([1]) * 32,
    name="the kitchen",
    opener=bytes([2]) * 32,
    ruleset_name="official",
    ruleset_hash=bytes([3]) * 32,
    seats_taken=2,
    seats=4,
    code_required=True,
)


def record(
    advert: RoomAdvert = ADVERT, name: str = "bob", versions: tuple[int, ...] = (1, 2)
) -> dict[str, str]:
    return write_record(key=KEY, name=name, program="p2prummi 0.1", versions=versions, advert=advert)


@pytest.mark.parametrize("advert", [ADVERT, RoomAdvert()])
def test_a_record_reads_back(advert: RoomAdvert) -> None:
    sighting = read_record(fingerprint(KEY), record(advert), HERE, (1,))
    assert sighting is not None
    assert (sighting.key, sighting.name, sighting.program) == (KEY, "bob", "p2prummi 0.1")
    assert (sighting.versions, sighting.compatible, sighting.addresses) == ((1, 2), True, HERE)
    assert sighting.room == facts_of(advert)
    assert sighting.status is Status.UNPROVED


def test_the_record_to_the_byte() -> None:
    assert record() == {
        "v": "1,2",
        "p": "p2prummi 0.1",
        "k": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
        "n": "bob",
        "s": "open",
        "r": "01" * 32,
        "rn": "the kitchen",
        "o": fingerprint(bytes([2]) * 32),
        "rs": "official",
        "rh": "03" * 32,
        "t": "2/4",
        "c": "1",
    }
    assert set(record(RoomAdvert())) == {"v", "p", "k", "n", "s"}


def test_no_entry_is_longer_than_it_may_be() -> None:
    longest = RoomAdvert(
        state="playing",
        room_id=bytes(32),
        name="x" * limits.ROOM_NAME_BYTES_MAX,
        opener=bytes(32),
        ruleset_name="x" * limits.NAME_BYTES_MAX,
        ruleset_hash=bytes(32),
        seats_taken=6,
        seats=6,
    )
    entries = record(longest, "x" * limits.NAME_BYTES_MAX, tuple(range(65000, 65016)))
    assert max(len(f"{name}={value}".encode()) for name, value in entries.items()) <= 255


def test_a_version_that_is_not_ours_is_marked() -> None:
    sighting = read_record(fingerprint(KEY), record(versions=(2,)), HERE, (1,))
    assert sighting is not None
    assert not sighting.compatible


def test_entries_of_later_versions_are_passed_over() -> None:
    assert read_record(fingerprint(KEY), {**record(), "new": "x"}, HERE, (1,)) is not None


def test_names_are_shown_safely() -> None:
    sighting = read_record(fingerprint(KEY), {**record(), "n": "b\x1b[2Jo\u202eb", "rn": "a\nb"}, HERE, (1,))
    assert sighting is not None
    assert sighting.room is not None
    assert (sighting.name, sighting.room.name) == ("b[2Job", "a b")


def test_a_record_under_anothers_name_is_worth_nothing() -> None:
    assert read_record(fingerprint(bytes(32)), record(), HERE, (1,)) is None


@pytest.mark.parametrize("entry", sorted(record()))
def test_a_record_without_an_entry_is_worth_nothing(entry: str) -> None:
    entries = {name: value for name, value in record().items() if name != entry}
    assert read_record(fingerprint(KEY), entries, HERE, (1,)) is None


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("v", ""),
        ("v", "1,x"),
        ("v", "123456"),
        ("v", "65536"),
        ("v", "0"),
        ("v", "01"),
        ("v", "\u0661"),
        ("v", ",".join(["1"] * 17)),
        ("p", "x" * 33),
        ("k", "AAEC"),
        ("k", "!" * 43),
        ("k", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ("n", ""),
        ("rn", ""),
        ("n", "x" * (limits.NAME_BYTES_MAX + 1)),
        ("s", "closed"),
        ("r", "00"),
        ("r", "zz" * 32),
        ("r", "0A" * 32),
        ("r", "00 " * 32),
        ("r", "00" * 33),
        ("rn", "x" * (limits.ROOM_NAME_BYTES_MAX + 1)),
        ("o", "bob"),
        ("rs", "x" * 33),
        ("rh", "z"),
        ("rh", ""),
        ("rh", "00"),
        ("t", "5/4"),
        ("t", "2/7"),
        ("t", "02/4"),
        ("t", "1/2/3"),
        ("t", "2"),
        ("t", "2/x"),
        ("t", "-1/4"),
        ("c", "2"),
    ],
)
def test_a_damaged_record_is_worth_nothing(entry: str, value: str) -> None:
    assert read_record(fingerprint(KEY), {**record(), entry: value}, HERE, (1,)) is None


@given(st.dictionaries(st.sampled_from(sorted(record())), st.text(max_size=60)))
def test_any_texts_give_a_sighting_or_nothing(changes: dict[str, str]) -> None:
    read_record(fingerprint(KEY), {**record(), **changes}, HERE, (1,))
