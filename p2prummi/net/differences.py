"""Which peers of other protocol versions have been told of: each once, while it stays as it is."""

from __future__ import annotations

from typing import Final

from p2prummi.errors import FaultCode
from p2prummi.net.addresses import HostPort
from p2prummi.net.notices import VersionsDiffer
from p2prummi.session.handshake import Stopped

DIFFERENCES_MAX: Final = 100


class Differences:
    """Makes the notices of one peer, whose own versions are given."""

    def __init__(self, own_versions: tuple[int, ...]) -> None:
        self._own_versions = own_versions
        self._told: set[tuple[str, tuple[int, ...]]] = set()

    def notice(self, stopped: Stopped, remote: HostPort) -> VersionsDiffer | None:
        """What to tell of a handshake that was stopped; None where there is nothing new of the kind."""
        seen = (remote.host, stopped.peer_versions)
        is_other = stopped.code == FaultCode.VERSION_MISMATCH
        if not is_other or seen in self._told or len(self._told) >= DIFFERENCES_MAX:
            return None
        self._told.add(seen)
        return VersionsDiffer(
            host=remote.host,
            own_versions=self._own_versions,
            peer_versions=stopped.peer_versions,
            peer_program=stopped.peer_program,
            text=stopped.text,
        )

    def forget(self, host: str) -> None:
        """A peer of a common version has come from there: what was told is no longer so."""
        self._told = {seen for seen in self._told if seen[0] != host}
