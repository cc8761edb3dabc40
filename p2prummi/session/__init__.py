"""A peer without sockets, clock and screen: lobby, match, rounds, links. `Session` is all that others need."""

from p2prummi.session.round import TurnRefusedError
from p2prummi.session.session import Session
from p2prummi.wire.hello import RoomAdvert

__all__ = ["Session", "TurnRefusedError"]
