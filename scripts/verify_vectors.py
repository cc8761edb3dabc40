"""Check the protocol's test vectors by a second reading of its specification.

    python scripts/verify_vectors.py [--vectors DIRECTORY] [TOPIC ..]

Nothing here comes from the game's own code: the group, the hashes, the proofs, the signatures and the
encoding are written anew from protocol/spec, in plain integers. So a vector that passes is understood alike
by two programs, and a specification that leaves something open shows here. It decides whether every vector
of the topics gives exactly what it expects; any other outcome, and a topic without vectors, is printed, and
ends with status 1.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

from verifier.operations import TOPICS, Operation
from verifier.refusal import NotJudgedError, Refused
from verifier.values import same_json

VECTORS = Path(__file__).resolve().parent.parent / "protocol" / "vectors"


def read(file: Path) -> dict[str, Any]:
    """Read a vector; where it goes on from another one, that one's input takes the place of its name."""
    vector: dict[str, Any] = json.loads(file.read_text("utf-8"))
    given = vector["input"]
    if isinstance(given.get("round"), str):
        given["round"] = read(file.with_name(given["round"] + ".json"))["input"]
    return vector


def judge(vector: dict[str, Any], operations: dict[str, Operation]) -> str | None:
    """Run one vector's operation; say what differs from the expected outcome, or None where nothing does."""
    operation = operations.get(vector["operation"])
    if operation is None:
        return f"the operation {vector['operation']!r} is not known"
    expected = vector["expect"]
    try:
        output = operation(vector["input"])
    except NotJudgedError as reason:
        return f"not judged: {reason}"
    except Refused as refused:
        found = {
            "fault": refused.fault,
            "layer": refused.layer,
            "condition": refused.condition,
            "seat": refused.seat,
        }
        if expected == "ok":
            return f"expected ok, found {found}"
        differs = any(found[name] != wanted for name, wanted in expected.items())
        return f"expected {expected}, found {found}" if differs else None
    if expected != "ok":
        return f"expected {expected}, found ok"
    if not same_json(output, vector.get("output")):
        return f"expected the output {vector.get('output')}, found {output}"
    return None


def main() -> int:
    """Judge all vectors of the topics asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--vectors", type=Path, default=VECTORS, metavar="DIRECTORY")
    parser.add_argument(
        "topics", nargs="*", metavar="TOPIC", help=f"of {', '.join(TOPICS)}; all where none is given"
    )
    arguments = parser.parse_args()
    passed = failed = 0
    empty = False
    for topic in arguments.topics or TOPICS:
        begun = time.monotonic()
        if topic not in TOPICS:
            parser.error(f"no such topic: {topic}")
        files = sorted((arguments.vectors / topic).glob("*.json"))
        if not files:
            print(f"{topic}: there are no vectors, so nothing was checked")
            empty = True
            continue
        complaints = 0
        for file in files:
            complaint = judge(read(file), TOPICS[topic])
            if complaint is not None:
                complaints += 1
                print(f"{topic}/{file.name}: {complaint}")
        passed += len(files) - complaints
        failed += complaints
        print(f"{topic}: {len(files)} vectors, {complaints} disagree, {time.monotonic() - begun:.1f} s")
    for directory in sorted(path for path in arguments.vectors.glob("*/") if path.name not in TOPICS):
        print(f"{directory.name}: this program checks no vectors of this topic")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or empty else 0


if __name__ == "__main__":
    sys.exit(main())
