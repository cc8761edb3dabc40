"""The command `verify`: what it prints, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from p2prummi.cli.exit_codes import ExitCode
from p2prummi.cli.main import main
from p2prummi.crypto.fingerprint import fingerprint
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
