"""The independent verifier agrees with every vector, and says which one disagrees as soon as one is wrong."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "verify_vectors.py"
VECTORS = ROOT / "protocol" / "vectors"

Vector = dict[str, Any]


def verify(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


def flipped(data: str, at: int) -> str:
    changed = bytearray.fromhex(data)
    changed[at] ^= 1
    return changed.hex()


def test_all_vectors_agree() -> None:
    run = verify()
    vectors = list(VECTORS.glob("*/*.json"))
    assert vectors
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.splitlines()[-1] == f"{len(vectors)} passed, 0 failed"


def change_proof(at: int) -> Callable[[Vector], None]:
    def change(vector: Vector) -> None:
        for part in vector["input"].get("statements", [vector["input"]]):
            part["proof"] = flipped(part["proof"], at)

    return change


def change_input(name: str, at: int = -1) -> Callable[[Vector], None]:
    def change(vector: Vector) -> None:
        vector["input"][name] = flipped(vector["input"][name], at)

    return change


def expect(outcome: Any) -> Callable[[Vector], None]:
    def change(vector: Vector) -> None:
        vector["expect"] = outcome

    return change


def expect_part(name: str, value: Any) -> Callable[[Vector], None]:
    def change(vector: Vector) -> None:
        vector["expect"][name] = value

    return change


def change_output(vector: Vector) -> None:
    vector["output"] = {name: [value] for name, value in vector["output"].items()}


def change_operation(vector: Vector) -> None:
    vector["operation"] = "no_such_operation"


FAILED = {"fault": "shuffle_proof_failed", "layer": "crypto"}

TAMPERED = [
    ("crypto/shuffle_good_3", change_proof(-1)),
    ("crypto/shuffle_good_3", change_proof(300)),
    ("crypto/shuffle_good_3", change_proof(0)),
    ("crypto/shuffle_good_3", expect(FAILED)),
    ("crypto/shuffle_tile_twice", expect("ok")),
    ("crypto/shuffle_tile_twice", expect_part("fault", "share_proof_failed")),
    ("crypto/shuffle_tile_twice", expect_part("layer", "schema")),
    ("crypto/shuffle_tile_twice", expect_part("condition", "product")),
    ("crypto/shuffle_tile_twice", expect_part("seat", 0)),
    ("crypto/shares_good", change_proof(-1)),
    ("crypto/shares_good", change_input("context")),
    ("crypto/key_proof_good", change_proof(-1)),
    ("crypto/key_proof_good", change_input("context")),
    ("crypto/commitment_good", change_input("coin")),
    ("crypto/signature_good", change_input("body")),
    ("crypto/signature_good", change_input("signature", 0)),
    ("crypto/digest_two_parts", change_output),
    ("crypto/digest_two_parts", change_operation),
    ("events/event_commit_least", change_input("body")),
    ("events/event_commit_least", change_output),
    ("events/context_of_round_1", change_input("match")),
    ("events/chain_of_two_steps", change_input("context")),
    ("events/match_good", change_input("signature")),
    ("events/admit_good", change_input("signature")),
    ("events/ack_good", change_input("frame")),
    ("events/held_two_contents_for_one_slot", expect_part("seat", 0)),
    ("events/held_one_event_twice", expect({"fault": "equivocation", "layer": "session", "seat": 1})),
    ("events/acks_of_another_state", expect("ok")),
    ("events/acks_of_another_state", change_input("head")),
    ("events/acks_by_all", change_input("state")),
    ("events/transcript_of_one_step", change_input("bytes")),
    ("links/certificate_good", change_input("certificate", 1)),
    ("links/certificate_good", change_output),
    ("links/certificate_of_another_kind_of_key", expect("ok")),
    ("links/fingerprint_of_the_dialler", change_input("key")),
    ("links/hello_to_join", change_input("certificate_hash")),
    ("links/hello_to_join", change_input("hello")),
    ("links/hello_with_another_port", expect("ok")),
    ("links/hello_with_version_0", expect_part("layer", "link")),
    ("links/room_code_dialler_good", change_input("proof")),
    ("links/room_code_dialler_good", change_input("secret")),
    ("links/room_code_listener_good", change_input("listener_nonce")),
    ("links/room_code_listener_guessed", expect("ok")),
    ("links/room_code_listener_gets_of_small_order", expect_part("fault", "wrong_code")),
    ("rules/starter_highest_tile_of_3", change_output),
    ("rules/deal_to_3_in_two_passes", change_output),
    ("rules/score_of_three_teams_of_six", change_output),
    ("rules/score_unopened_an_opening", change_output),
    ("encoding/form_02", change_output),
    ("encoding/malformed_frame_a_float", expect("ok")),
]


@pytest.mark.parametrize(
    ("name", "change"), TAMPERED, ids=[f"{at}-{name.split('/')[1]}" for at, (name, _) in enumerate(TAMPERED)]
)
def test_a_tampered_vector_is_named(name: str, change: Callable[[Vector], None], tmp_path: Path) -> None:
    vector = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    topic, stem = name.split("/")
    file = tmp_path / topic / f"{stem}.json"
    file.parent.mkdir()
    file.write_text(json.dumps(vector), "utf-8")
    assert verify("--vectors", str(tmp_path), topic).returncode == 0

    change(vector)
    file.write_text(json.dumps(vector), "utf-8")
    run = verify("--vectors", str(tmp_path), topic)
    assert run.returncode == 1
    assert run.stdout.startswith(f"{name}.json: ")
    assert run.stdout.endswith("0 passed, 1 failed\n")


def shortened_round(vector: Vector, slots: int) -> None:
    """Leave only the first slots of a round, in which nothing costs much to check."""
    vector["input"]["steps"] = vector["input"]["steps"][:slots]
    vector["output"] = {name: vector["output"][name][:slots] for name in ("heads", "states")}
    vector["output"] |= {"racks": [], "points": []}


def change_signature(vector: Vector) -> None:
    event = vector["input"]["steps"][1][0]
    event["signature"] = flipped(event["signature"], 0)


def change_state(vector: Vector) -> None:
    vector["output"]["states"][-1] = flipped(vector["output"]["states"][-1], 0)


def unchanged(vector: Vector) -> None:
    pass


@pytest.mark.parametrize(
    ("change_round", "change_step"),
    [
        (change_signature, unchanged),
        (change_state, unchanged),
        (unchanged, expect("ok")),
        (unchanged, expect_part("seat", 0)),
        (unchanged, expect_part("fault", "key_proof_failed")),
    ],
)
def test_a_tampered_round_is_named(
    change_round: Callable[[Vector], None], change_step: Callable[[Vector], None], tmp_path: Path
) -> None:
    folder = tmp_path / "rounds"
    folder.mkdir()
    names = ("round_good", "reveal_of_another_coin")
    whole, step = (json.loads((VECTORS / "rounds" / f"{name}.json").read_text("utf-8")) for name in names)
    shortened_round(whole, 2)

    def write() -> subprocess.CompletedProcess[str]:
        for name, vector in zip(names, (whole, step), strict=True):
            (folder / f"{name}.json").write_text(json.dumps(vector), "utf-8")
        return verify("--vectors", str(tmp_path), "rounds")

    assert write().returncode == 0
    change_round(whole)
    change_step(step)
    run = write()
    assert run.returncode == 1
    changed = names[0] if change_step is unchanged else names[1]
    assert f"rounds/{changed}.json: " in run.stdout


def test_a_topic_without_vectors_is_not_said_to_pass(tmp_path: Path) -> None:
    shutil.copytree(VECTORS / "encoding", tmp_path / "encoding")
    run = verify("--vectors", str(tmp_path))
    assert run.returncode == 1
    assert "crypto: there are no vectors, so nothing was checked" in run.stdout
    assert run.stdout.endswith(" passed, 0 failed\n")


def test_a_topic_that_is_not_known_is_named(tmp_path: Path) -> None:
    shutil.copytree(VECTORS / "encoding", tmp_path / "encoding")
    (tmp_path / "weather").mkdir()
    run = verify("--vectors", str(tmp_path), "encoding")
    assert run.returncode == 0
    assert "weather: this program checks no vectors of this topic" in run.stdout


def test_a_topic_asked_for_must_exist() -> None:
    assert verify("no-such-topic").returncode == 2


def test_nothing_of_the_game_is_imported() -> None:
    sources = [SCRIPT, *(SCRIPT.parent / "verifier").glob("*.py")]
    assert len(sources) > 5
    for source in sources:
        lines = source.read_text("utf-8").splitlines()
        assert not [line for line in lines if "import" in line and "p2prummi" in line], source
