"""A peer without sockets, clock and screen: lobby, match, rounds, links. Others need only `Session`."""

from p2prummi.session.round import TurnRefusedError
from p2prummi.session.session import Session

__all__ = ["Session", "TurnRefusedError"]
