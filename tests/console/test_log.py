"""The log: a sentence for each thing that happens, with everyone under their own name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2prummi.console.log.model import ENTRIES_MAX, Entry, Kind, LogModel, with_entry, without_latest
from p2prummi.console.log.presenter import entry_of
from p2prummi.errors import FaultCode
from p2prummi.net import notices as net_notices
from p2prummi.net.driver import AnyNotice
from p2prummi.net.known_peers import Meeting, Recognition
from p2prummi.rules import Draw, Pass, Play
from p2prummi.rules.start import Starting
from p2prummi.session import notices
from tests.console.stage import (
    KEYS,
    NAMES,
    after_lay,
    console,
    dealt,
    game_of,
    rack_of,
    room_of,
    started,
    taken,
    tiles,
)

GAME = game_of("R1 R2 R3", to_move=1)
MODEL = console(*started(), *dealt(GAME, rack_of("R4", GAME)))
AFTER = game_of("R1 R2 R3", "K4 B4 O4", to_move=2)
_, TWO_MELDS = after_lay(GAME, "R1 R2 R3", "B6 B7 B8", "O11 O12 O13", to_move=2)


VERIFIED = "Verified: 6 proofs, 106 tiles; nobody knows or chose the order."
TIE = tuple(tuple(enumerate(tiles(drawn))) for drawn in ("R4 K4", "K1 J"))


def verified(round_number: int, starting: Starting) -> notices.DeckVerified:
    return notices.DeckVerified(round_number=round_number, proofs=6, tiles=106, starting=starting)


def met(recognition: Recognition, old_name: str | None = None) -> net_notices.PeerMet:
    meeting = Meeting(recognition=recognition, is_first=False, old_name=old_name)
    return net_notices.PeerMet(peer=KEYS[1], name=NAMES[1], meeting=meeting)


@pytest.mark.parametrize(
    ("notice", "kind", "text"),
    [
        (taken(GAME, AFTER, Play(AFTER.table), seat=1), Kind.TURN, "Björn laid K4 B4 O4."),
        (
            taken(GAME, AFTER, Play(AFTER.table, AFTER.table[1:]), seat=1),
            Kind.TURN,
            "Björn laid K4 B4 O4 and opened.",
        ),
        (replace(TWO_MELDS, laid=TWO_MELDS.laid[::-1]), Kind.TURN, "Björn laid B6 B7 B8 O11 O12 O13."),
        (taken(GAME, GAME, Draw(), seat=2), Kind.TURN, "Chloé drew a tile."),
        (taken(GAME, GAME, Pass(), seat=0), Kind.TURN, "You passed."),
        (
            notices.TilesDrawn(tiles=tiles("R5"), rack=tiles("R4 R5")),
            Kind.TURN,
            "You drew R5.",
        ),
        (
            verified(1, Starting(seat=1, draws=TIE)),
            Kind.NEWS,
            f"{VERIFIED} Drawn for the first turn: Ana R4, Björn K4; again: Ana K1, Björn J. Björn begins.",
        ),
        (
            verified(1, Starting(seat=1)),
            Kind.NEWS,
            f"{VERIFIED} The coin that all tossed together chose: Björn begins.",
        ),
        (
            verified(2, Starting(seat=1)),
            Kind.NEWS,
            f"{VERIFIED} Björn begins: the next seat after the one that began the last round.",
        ),
        (notices.PeerJoined(KEYS[1], NAMES[1]), Kind.NEWS, "Björn is here."),
        (notices.PeerLeft(KEYS[1], NAMES[1], True, "said goodbye"), Kind.NEWS, "Björn left."),
        (
            notices.PeerLeft(KEYS[1], NAMES[1], False, "silent for 30 seconds"),
            Kind.TROUBLE,
            "The link to Björn is lost: silent for 30 seconds",
        ),
        (
            notices.PeerAway(KEYS[1], NAMES[1]),
            Kind.TROUBLE,
            "Nothing is heard of Björn any more; waiting.",
        ),
        (notices.PeerBack(KEYS[1], NAMES[1]), Kind.NEWS, "Björn is back."),
        (
            notices.FaultSeen(code=FaultCode.ILLEGAL_TURN, text="no", peer=KEYS[1], signed=True),
            Kind.TROUBLE,
            "Björn broke the protocol: no (illegal_turn)",
        ),
        (
            notices.FaultSeen(code=FaultCode.ILLEGAL_TURN, text="no", peer=None, signed=False),
            Kind.TROUBLE,
            "A peer broke the protocol: no (illegal_turn)",
        ),
        (
            net_notices.VersionsDiffer(
                host="h", own_versions=(1,), peer_versions=(2,), peer_program="p", text="versions differ"
            ),
            Kind.TROUBLE,
            "versions differ",
        ),
        (
            net_notices.MemberUnreachable(peer=KEYS[1], code=None, text="nobody answers"),
            Kind.TROUBLE,
            "Björn can't be reached, so no match can begin: nobody answers",
        ),
        (
            met(Recognition.OTHER_KEY),
            Kind.TROUBLE,
            "Björn is NOT the one who had this name before: the key is another.",
        ),
        (met(Recognition.RENAMED, "Bjørn"), Kind.NEWS, "Björn was called Bjørn before."),
    ],
)
def test_what_the_log_says(notice: AnyNotice, kind: Kind, text: str) -> None:
    assert entry_of(notice, MODEL.people) == Entry(kind, text)


@pytest.mark.parametrize(
    "notice", [room_of(2), met(Recognition.NEW), met(Recognition.KNOWN), taken(GAME, GAME, Draw(), seat=0)]
)
def test_what_the_screen_shows_anyway_is_not_in_the_log(notice: AnyNotice) -> None:
    assert entry_of(notice, MODEL.people) is None


def test_a_peer_without_a_name_is_shown_by_its_fingerprint() -> None:
    model = console(notices.PeerJoined(KEYS[1], "\x1b\u202e"))
    assert model.log.entries[0].text == "fjiq-kaig-gal2-k3c4 is here."


def test_the_log_is_bounded() -> None:
    log = LogModel()
    for number in range(ENTRIES_MAX + 10):
        log = with_entry(log, Entry(Kind.CHAT, str(number)))
    assert len(log.entries) == ENTRIES_MAX
    assert log.entries[0].text == "10"


def test_what_is_left_out_of_the_log_is_the_latest_of_its_text() -> None:
    log = LogModel(
        tuple(Entry(kind, text) for kind, text in ((Kind.CHAT, "a"), (Kind.NEWS, "b"), (Kind.NEWS, "a")))
    )
    assert without_latest(log, ("a", "never said")) == LogModel(log.entries[:2])
    assert without_latest(log, ()) == log
