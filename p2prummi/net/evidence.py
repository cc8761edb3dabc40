"""What a peer has signed against the protocol, kept on disk for whoever wants to judge it.

One file a fault, in the profile's directory. What is in it, and how it is judged with the match's own file,
whose steps end where the fault is, is the affair of `transcript/evidence.py`.
"""

from __future__ import annotations

import logging
from hashlib import sha256
from pathlib import Path
from typing import Final

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.net.files import make_private_directory, write_private
from p2prummi.session.notices import FaultSeen
from p2prummi.transcript.evidence import Blame, write_evidence

FOLDER: Final = "evidence"
FILES_MAX: Final = 200

log: Final = logging.getLogger(__name__)


def note_fault(directory: Path, fault: FaultSeen) -> None:
    """Keeps a fault's evidence as `keep_evidence` does, and logs where, or why not."""
    try:
        path = keep_evidence(directory, fault)
    except OSError as error:
        log.warning("the evidence of %s could not be kept: %s", fault.code, error)
    else:
        if fault.signed:  # Any other is logged when its link is closed.
            log.info("%s: %s; evidence: %s", fault.code, fault.text, path)


def keep_evidence(directory: Path, fault: FaultSeen) -> Path | None:
    """Writes a fault's evidence below `directory`; None where a fault has none, or too many are kept already.

    Raises OSError where it can't be written.
    """
    if fault.peer is None or not fault.evidence:
        return None
    content = write_evidence(Blame(fault.code.value, fault.text, fault.peer), fault.evidence)
    folder = directory / FOLDER
    make_private_directory(folder)
    if len(list(folder.iterdir())) >= FILES_MAX:
        return None
    path = folder / f"{fault.code}-{fingerprint(fault.peer)}-{sha256(content).hexdigest()[:8]}.evidence"
    write_private(path, content)
    return path
