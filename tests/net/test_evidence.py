"""What a peer signed against the protocol is kept, whole and private."""

from __future__ import annotations

import logging
import os
from dataclasses import replace
from pathlib import Path

import pytest

from p2prummi.errors import FaultCode
from p2prummi.net import evidence
from p2prummi.net.evidence import keep_evidence, note_fault
from p2prummi.session.notices import FaultSeen
from p2prummi.transcript.evidence import Blame, write_evidence

FAULT = FaultSeen(
    code=FaultCode.EQUIVOCATION,
    text="seat 1 signed two events for slot 9",
    peer=b"k" * 32,
    signed=True,
    evidence=(b"one frame", b"another frame"),
)


def test_evidence_is_kept_with_its_verdict(tmp_path: Path) -> None:
    path = keep_evidence(tmp_path, FAULT)
    assert path is not None
    assert path.read_bytes() == write_evidence(Blame(FAULT.code, FAULT.text, b"k" * 32), FAULT.evidence)
    assert path.name.startswith("equivocation-")


def test_long_words_are_kept_as_far_as_they_may_go(tmp_path: Path) -> None:
    assert keep_evidence(tmp_path, replace(FAULT, text="The tile K7 lies nowhere. " * 200)) is not None


@pytest.mark.skipif(os.name != "posix", reason="modes of files are these systems' way")
def test_evidence_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = keep_evidence(tmp_path, FAULT)
    assert path is not None
    assert path.stat().st_mode & 0o077 == 0
    assert path.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    "fault",
    [
        FaultSeen(code=FAULT.code, text="", peer=FAULT.peer, signed=False),
        FaultSeen(code=FAULT.code, text="", peer=None, signed=True, evidence=FAULT.evidence),
    ],
)
def test_a_fault_that_nobody_signed_leaves_no_file(tmp_path: Path, fault: FaultSeen) -> None:
    assert keep_evidence(tmp_path, fault) is None
    assert not list(tmp_path.iterdir())


def test_a_flood_of_faults_does_not_fill_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "FILES_MAX", 1)
    assert keep_evidence(tmp_path, FAULT) is not None
    assert (
        keep_evidence(
            tmp_path, FaultSeen(code=FAULT.code, text="x", peer=b"l" * 32, signed=True, evidence=(b"",))
        )
        is None
    )


def test_a_signed_fault_is_logged_with_where_it_is_kept_or_why_it_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "p2prummi")
    note_fault(tmp_path, replace(FAULT, signed=False, evidence=()))
    assert caplog.text == ""
    note_fault(tmp_path, FAULT)
    (path,) = (tmp_path / evidence.FOLDER).iterdir()
    assert f"equivocation: {FAULT.text}; evidence: {path}" in caplog.text
    tmp_path.joinpath("file").touch()
    note_fault(tmp_path / "file", FAULT)
    assert "the evidence of equivocation could not be kept" in caplog.text
