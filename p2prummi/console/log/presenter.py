"""What the log says.

A sentence for each notice that a person wants to read afterwards, and none for the others. Texts that come
from the network are cleaned before they become part of a sentence (`p2prummi.wire.shown`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2prummi.console.log.model import Entry, Kind
from p2prummi.console.setup.presenter import starting_words
from p2prummi.net import notices as net_notices
from p2prummi.net.known_peers import Recognition
from p2prummi.rules import Draw, Pass, Play, format_tiles
from p2prummi.session import notices
from p2prummi.wire.shown import shown

if TYPE_CHECKING:
    from p2prummi.console.people import People
    from p2prummi.net.driver import AnyNotice
    from p2prummi.net.notices import NetNotice
    from p2prummi.session.notices import TurnTaken


def entry_of(notice: AnyNotice, people: People) -> Entry | None:
    """The entry for a notice, or None where it says nothing that the screen doesn't show anyway."""
    match notice:
        case notices.TurnTaken(seat=seat, turn=turn) if people.seats[seat] == people.own_key:
            # Which tile was drawn is told once it is open.
            return None if isinstance(turn, Draw) else Entry(Kind.TURN, f"You {_turn_words(notice)}")
        case notices.TurnTaken(seat=seat):
            return Entry(Kind.TURN, f"{people.seat_label(seat)} {_turn_words(notice)}")
        case notices.TilesDrawn(tiles=tiles):
            return Entry(Kind.TURN, f"You drew {format_tiles(tiles)}.")
        case notices.ChatReceived(peer=peer, text=text):
            return Entry(Kind.CHAT, f"{people.label(peer)}: {shown(text)}")
        case notices.FaultSeen(code=code, text=text, peer=peer):
            who = "A peer" if peer is None else people.label(peer)
            return Entry(Kind.TROUBLE, f"{who} broke the protocol: {shown(text)} ({code})")
        case notices.MatchStarted(match=match):
            seats = ", ".join(people.seat_label(seat) for seat in range(match.players))
            return Entry(Kind.NEWS, f"The match begins, signed by all. Seats: {seats}.")
        case notices.DeckVerified(proofs=proofs, tiles=tiles):
            verified = f"Verified: {proofs} proofs, {tiles} tiles; nobody knows or chose the order."
            return Entry(Kind.NEWS, f"{verified} {starting_words(notice, people)}")
        case notices.MatchEnded(reason=reason, text=text) if reason is not notices.MatchEnd.FINISHED:
            return Entry(Kind.TROUBLE, f"The match is over: {shown(text)}")
        case notices.RoomClosed(why=why):
            return Entry(Kind.NEWS, shown(why))
    return _peer_entry(notice, people)


def _turn_words(taken: TurnTaken) -> str:
    match taken.turn:
        case Play():
            opened = " and opened" if taken.turn.opening is not None else ""
            laid = (tile for meld in taken.turn.melds for tile in meld.tiles if tile in taken.laid)
            return f"laid {format_tiles(laid)}{opened}."
        case Draw():
            return "drew a tile."
        case Pass():
            return "passed."


def _peer_entry(notice: AnyNotice, people: People) -> Entry | None:
    """Who came, went, dropped and came back."""
    match notice:
        case notices.PeerJoined(peer=peer):
            return Entry(Kind.NEWS, f"{people.label(peer)} is here.")
        case notices.PeerLeft(peer=peer, left=True):
            return Entry(Kind.NEWS, f"{people.label(peer)} left.")
        case notices.PeerLeft(peer=peer, why=why):
            return Entry(Kind.TROUBLE, f"The link to {people.label(peer)} is lost: {shown(why)}")
        case notices.PeerAway(peer=peer):
            return Entry(Kind.TROUBLE, f"Nothing is heard of {people.label(peer)} any more; waiting.")
        case notices.PeerBack(peer=peer):
            return Entry(Kind.NEWS, f"{people.label(peer)} is back.")
    return _net_entry(notice, people)


def _net_entry(notice: AnyNotice | NetNotice, people: People) -> Entry | None:
    """What only the network knows."""
    match notice:
        case net_notices.NetworkChanged(online=True):
            return Entry(Kind.NEWS, "There is a network again.")
        case net_notices.NetworkChanged():
            return Entry(Kind.TROUBLE, "There is no network now.")
        case net_notices.VersionsDiffer(text=text):
            return Entry(Kind.TROUBLE, shown(text))
        case net_notices.MemberUnreachable(peer=peer, text=text):
            return Entry(
                Kind.TROUBLE, f"{people.label(peer)} can't be reached, so no match can begin: {shown(text)}"
            )
        case net_notices.PeerMet(peer=peer, meeting=meeting) if meeting.recognition is Recognition.OTHER_KEY:
            text = f"{people.label(peer)} is NOT the one who had this name before: the key is another."
            return Entry(Kind.TROUBLE, text)
        case net_notices.PeerMet(peer=peer, meeting=meeting) if meeting.recognition is Recognition.RENAMED:
            return Entry(
                Kind.NEWS, f"{people.label(peer)} was called {shown(meeting.old_name or '')} before."
            )
    return None
