"""A bot whose session is watched, and which may be hostile: `recording_bot.py FRAMES ATTACK bot ARGUMENTS..`.

It is the program's own `bot` command in every respect but two: each frame that comes out of a link, above
TLS, is written to the file FRAMES (8 hexadecimal digits of its length, its sender's key, the frame); and
where ATTACK names one of `hostile.py`, what it sends is changed accordingly.
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest.mock import patch

from p2prummi import headless
from p2prummi.cli.main import main
from tests.net.hostile import ATTACKS, HostileSession


def record(frames: Path) -> type[HostileSession]:
    """A kind of session that writes down what it receives."""

    class RecordingSession(HostileSession):
        def receive(self, peer: bytes, data: bytes, now: float) -> None:
            with frames.open("ab") as file:
                file.write(f"{len(data):08x}".encode() + peer + data)
            super().receive(peer, data, now)

    return RecordingSession


if __name__ == "__main__":
    place, attack, *arguments = sys.argv[1:]
    recording = record(Path(place))
    recording.attack = ATTACKS.get(attack)
    # The one seam at which a test looks into the program: which class the bot's session is of.
    with patch.object(headless, "Session", recording):
        sys.exit(main(arguments))
