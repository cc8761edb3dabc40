"""The command `verify`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2prummi.cli.exit_codes import ExitCode
from p2prummi.cli.main import main
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.testing.adversaries import as_bytes, resigned
from p2prummi.transcript.evidence import MAGIC, Blame, write_evidence
from p2prummi.transcript.file import read_transcript, write_transcript
from p2prummi.wire import events
from p2prummi.wire.events import sign_event
from tests.local_match import left_match, match_ended, played_match


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.p2prummi"
    path.write_bytes(match_ended(played_match()[0]).transcript)
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A match whose first player signs other points than it has."""
    match, held = read_transcript(match_ended(played_match()[0]).transcript)
    position = next(place for place, event in enumerate(held) if event.kind == "result")
    old = held[position]
    (key,) = (peer.key for peer in played_match() if peer.public == match.keys[old.seat])
    held[position] = sign_event(
        key,
        context=old.context,
        sequence=old.sequence,
        prev=old.prev,
        seat=old.seat,
        payload=events.Result((7, -7)),
    )
    path = tmp_path / "broken.p2prummi"
    path.write_bytes(write_transcript(match, [held]))
    return path


@pytest.fixture
def evidence(tmp_path: Path) -> Path:
    """Proof that the first player of the same match signed two results of its last round."""
    path = tmp_path / "fault.evidence"
    path.write_bytes(two_results(Blame("equivocation", "seat 0 signed two results", first_key())))
    return path


def first_key() -> bytes:
    return match_ended(played_match()[0]).match.keys[0]


def two_results(said: Blame) -> bytes:
    """Evidence that says this, and shows two results."""
    _, held = read_transcript(match_ended(played_match()[0]).transcript)
    result = next(event for event in reversed(held) if event.kind == "result" and event.seat == 0)
    (key,) = (peer.key for peer in played_match() if peer.public == first_key())
    other = resigned(key, result, payload=events.Result((7, -7)))
    return write_evidence(said, [as_bytes(result), as_bytes(other)])


def answers(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    captured = capsys.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


def test_a_whole_match_in_words(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(good)]) == ExitCode.DONE
    first, *rest = capsys.readouterr().out.splitlines()
    ended = match_ended(played_match()[0])
    assert first == f"{good}: verified"
    text = "\n".join(rest)
    assert f"match: {ended.match.id.hex()}" in text
    assert "rules: sv-klassisk with rounds=2" in text
    assert f"{ended.match.names[0]} ({fingerprint(ended.match.keys[0])})" in text
    assert f"head {ended.head.hex()}" in text
    assert f"totals: {ended.totals[0]:+d}, {ended.totals[1]:+d}" in text
    assert f"won by: {ended.match.names[ended.winners[0]]}" in text
    assert text.count("  round ") == 2


def test_a_whole_match_in_json(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--json", str(good)]) == ExitCode.DONE
    (answer,) = answers(capsys)
    ended = match_ended(played_match()[0])
    assert list(answer) == [
        "file",
        "verified",
        "complete",
        "match",
        "ruleset",
        "players",
        "rounds",
        "totals",
        "winners",
        "head",
        "fault",
    ]
    assert (answer["file"], answer["verified"], answer["complete"], answer["fault"]) == (
        str(good),
        True,
        True,
        None,
    )
    assert answer["ruleset"] == ended.match.ruleset.to_dict()
    assert (answer["totals"], answer["winners"]) == (list(ended.totals), list(ended.winners))
    assert (answer["match"], answer["head"]) == (ended.match.id.hex(), ended.head.hex())
    rounds = answer["rounds"]
    assert isinstance(rounds, list)
    assert [set(each) for each in rounds] == [{"round", "why", "winner", "scores", "totals", "head"}] * 2
    assert rounds[-1]["totals"] == list(ended.totals)


def test_the_culprit_and_the_event_are_named(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = match_ended(played_match()[0]).match
    assert main(["verify", str(broken)]) == ExitCode.NO
    text = capsys.readouterr().out
    assert text.startswith(f"{broken}: NOT VERIFIED\n")
    assert "(wrong_result)" in text
    assert "in round 1" in text
    assert "totals" not in text
    assert f"culprit: {match.names[0]} ({fingerprint(match.keys[0])})" in text

    assert main(["verify", "--json", str(broken)]) == ExitCode.NO
    (answer,) = answers(capsys)
    fault = answer["fault"]
    assert isinstance(fault, dict)
    assert (fault["code"], fault["round"]) == ("wrong_result", 1)
    assert fault["culprit"] == {"peer": fingerprint(match.keys[0]), "name": match.names[0]}
    assert f"event {fault['event']}, " in text
    assert (answer["verified"], answer["complete"], answer["rounds"]) == (False, False, [])


def test_one_bad_file_among_several_makes_the_answer_no(
    good: Path, broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    garbage = tmp_path / "garbage"
    garbage.write_bytes(b"what is this\n")
    assert main(["verify", "--json", str(good), str(garbage), str(broken), str(good)]) == ExitCode.NO
    found = answers(capsys)
    assert [answer["verified"] for answer in found] == [True, False, False, True]
    assert found[1]["match"] is None
    assert found[1]["rounds"] is None


def test_garbage_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(b"")
    assert main(["verify", str(path)]) == ExitCode.NO
    text = capsys.readouterr().out
    assert "where: the file itself" in text
    assert "culprit: no signature proves who" in text


def test_an_event_that_cannot_be_read_is_counted(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match, held = read_transcript(good.read_bytes())
    good.write_bytes(write_transcript(match, [held[:3]]) + b"\x00\x00\x00\x01\x00")
    assert main(["verify", str(good)]) == ExitCode.NO
    assert "  where: event 4\n" in capsys.readouterr().out


def test_a_match_that_ended_early_is_verified_and_said_to_be_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "early"
    path.write_bytes(match_ended(left_match()[1]).transcript)
    assert main(["verify", str(path)]) == ExitCode.DONE
    assert capsys.readouterr().out.startswith(f"{path}: verified as far as it goes; the match ended early\n")


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(tmp_path / "nothing")]) == ExitCode.WRONG_USAGE
    assert capsys.readouterr().err == f"p2prummi: there is no file {tmp_path / 'nothing'}\n"


# Evidence.


def test_evidence_is_judged_by_the_match_beside_it_in_any_order(
    good: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = match_ended(played_match()[0]).match
    for files in ((good, evidence), (evidence, good)):
        assert main(["verify", *map(str, files)]) == ExitCode.DONE
        captured = capsys.readouterr()
        assert captured.err == ""
        assert [line.partition(": ")[0] for line in captured.out.splitlines() if line[0] != " "] == [
            str(path) for path in files
        ]
        found = captured.out[captured.out.index(str(evidence)) :].splitlines()[:5]
        slot = found[2].removeprefix("  where: slot ").removesuffix(", in round 2")
        assert found == [
            f"{evidence}: proved",
            f"  match: {match.id.hex()}",
            f"  where: slot {int(slot)}, in round 2",
            f"  fault: seat 0 signed two events for slot {slot} (equivocation)",
            f"  culprit: {match.names[0]} ({fingerprint(match.keys[0])})",
        ]


def test_evidence_in_json(good: Path, evidence: Path, capsys: pytest.CaptureFixture[str]) -> None:
    match = match_ended(played_match()[0]).match
    assert main(["verify", "--json", str(evidence), str(good)]) == ExitCode.DONE
    found, whole = answers(capsys)
    slot = found["slot"]
    culprit = {"peer": fingerprint(match.keys[0]), "name": match.names[0]}
    assert found == {
        "file": str(evidence),
        "verified": True,
        "match": match.id.hex(),
        "round": 2,
        "slot": slot,
        "said": {"code": "equivocation", "text": "seat 0 signed two results", "culprit": culprit},
        "found": {
            "code": "equivocation",
            "text": f"seat 0 signed two events for slot {slot}",
            "culprit": culprit,
        },
        "why": None,
    }
    assert (whole["file"], whole["verified"]) == (str(good), True)


def test_evidence_needs_its_match_beside_it(
    good: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for files in ([evidence], [evidence, evidence]):
        assert main(["verify", *map(str, files)]) == ExitCode.WRONG_USAGE
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err == (
            "p2prummi: evidence is judged by the file of its match, which must be named beside it: "
            f"p2prummi verify MATCH.p2prummi {evidence}\n"
        )
    other = good.with_name("other.p2prummi")
    other.write_bytes(match_ended(left_match()[1]).transcript)
    assert main(["verify", str(evidence), str(other)]) == ExitCode.NO
    text = capsys.readouterr().out
    assert text.startswith(f"{evidence}: NOT VERIFIED\n  what it says of itself:\n")
    assert "    fault: seat 0 signed two results (equivocation)\n" in text
    assert f"    culprit: {fingerprint(first_key())}\n" in text
    assert "  why: none of the files beside it is that of its match\n" in text
    assert main(["verify", "--json", str(evidence), str(other)]) == ExitCode.NO
    found, _ = answers(capsys)
    assert (found["verified"], found["match"], found["round"], found["slot"], found["found"]) == (
        False,
        None,
        None,
        None,
        None,
    )
    assert found["why"] == "none of the files beside it is that of its match"


def test_another_fault_than_evidence_says_is_named_and_makes_the_answer_no(
    good: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = match_ended(played_match()[0]).match
    evidence.write_bytes(two_results(Blame("wrong_result", "it was\x1b[2J Bob", match.keys[1])))
    assert main(["verify", str(good), str(evidence)]) == ExitCode.NO
    text = capsys.readouterr().out
    _, _, about = text.partition(f"{evidence}: NOT VERIFIED; it proves another fault than it says\n")
    assert f"\n  culprit: {match.names[0]} ({fingerprint(match.keys[0])})\n" in about
    assert "  what it says of itself:\n    fault: it was[2J Bob (wrong_result)\n" in about
    assert f"\n    culprit: {match.names[1]} ({fingerprint(match.keys[1])})\n" in about
    assert "why" not in about

    assert main(["verify", "--json", str(good), str(evidence)]) == ExitCode.NO
    _, answer = answers(capsys)
    said, found = answer["said"], answer["found"]
    assert isinstance(said, dict)
    assert isinstance(found, dict)
    assert (said["code"], said["culprit"]["name"]) == ("wrong_result", match.names[1])
    assert (found["code"], found["culprit"]["name"]) == ("equivocation", match.names[0])
    assert answer["verified"] is False


def test_evidence_that_cannot_be_read_is_named(
    good: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for content, why in (
        (MAGIC, "the evidence holds 0 frames instead of 1 to 2"),
        (evidence.read_bytes()[:-1], "the evidence ends in the middle of a record"),
        (MAGIC + bytes(2**20), "the evidence is longer than the 262144 bytes it may have"),
    ):
        evidence.write_bytes(content)
        assert main(["verify", str(evidence), str(good)]) == ExitCode.NO
        first, second, *_ = capsys.readouterr().out.splitlines()
        assert (first, second) == (f"{evidence}: NOT VERIFIED", f"  why: {why}")
    assert main(["verify", "--json", str(evidence), str(good)]) == ExitCode.NO
    found, _ = answers(capsys)
    assert (found["said"], found["found"], found["why"]) == (None, None, why)


def test_evidence_whose_match_does_not_hold_is_still_judged_as_far_as_it_goes(
    broken: Path, evidence: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two versions are seen in themselves; the answer is no all the same, because of the match's file."""
    assert main(["verify", str(broken), str(evidence)]) == ExitCode.NO
    text = capsys.readouterr().out
    assert f"{broken}: NOT VERIFIED\n" in text
    assert f"{evidence}: proved\n" in text
