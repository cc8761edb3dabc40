"""What is kept of what happens: a file for each finished match, and JSON lines where they were asked for."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from p2prummi.net.match_files import KeepingError, check_place, save_match
from p2prummi.session.notices import MatchEnded, RoomUpdated

if TYPE_CHECKING:
    from pathlib import Path

    from p2prummi.net.driver import AnyNotice
    from p2prummi.net.jsonlog import JsonLog


class Keeper:
    """Keeps what the notices tell; `directory` None: matches go to the platform's place for data."""

    def __init__(
        self, own_key: bytes, json_log: JsonLog | None = None, directory: Path | None = None
    ) -> None:
        self._own_key = own_key
        self._json_log = json_log
        self._directory = directory
        self._room = ""

    def trouble_ahead(self) -> tuple[str, ...]:
        """What is to be said at the start: nothing, or why matches can't be kept."""
        try:
            check_place(self._directory)
        except KeepingError as error:
            return (f"You can play, but {error}.",)
        return ()

    def keep(self, notice: AnyNotice) -> str:
        """Keeps what there is to keep of a notice; where a match was saved, or why it could not be."""
        words, path = "", None
        if isinstance(notice, RoomUpdated):
            self._room = notice.name
        if isinstance(notice, MatchEnded):
            try:
                path = self._save(notice)
                words = f"The match is kept in {path}"
            except KeepingError as error:
                words = f"The match could not be kept: {error}."
        if self._json_log is not None:
            self._json_log.tell(notice, file=path)
        return words

    def _save(self, ended: MatchEnded) -> Path:
        return save_match(
            ended.transcript,
            room=self._room,
            match_id=ended.match.id,
            own_key=self._own_key,
            when=datetime.now().astimezone(),
            directory=self._directory,
        )
