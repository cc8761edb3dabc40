"""Every vector has the form that `protocol/schema/vector.json` gives it, and names what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from p2prummi.errors import FaultCode

PROTOCOL = Path(__file__).parents[2] / "protocol"
SCHEMA: dict[str, Any] = json.loads((PROTOCOL / "schema" / "vector.json").read_text(encoding="utf-8"))
EXPECT: dict[str, Any] = SCHEMA["properties"]["expect"]["oneOf"][1]
FOLDERS = sorted(path for path in (PROTOCOL / "vectors").iterdir() if path.is_dir())


def faults_of(vector: dict[str, Any]) -> list[str]:
    """What of a vector is not as the schema says."""
    faults = [f"no {name}" for name in SCHEMA["required"] if name not in vector]
    faults += [f"{name} is unknown" for name in vector if name not in SCHEMA["properties"]]
    expect = vector.get("expect")
    if isinstance(expect, dict):
        faults += [f"no {name} in expect" for name in EXPECT["required"] if name not in expect]
        faults += [f"{name} is unknown in expect" for name in expect if name not in EXPECT["properties"]]
        if expect.get("layer") not in EXPECT["properties"]["layer"]["enum"]:
            faults.append("no such layer")
        if expect.get("fault") not in list(FaultCode):
            faults.append("no such fault")
        if "output" in vector:
            faults.append("an output beside a fault")
    elif expect != "ok":
        faults.append("expects neither ok nor a fault")
    if not re.fullmatch(SCHEMA["properties"]["operation"]["pattern"], vector.get("operation", "")):
        faults.append("no operation")
    return faults


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_every_vector_has_its_form(folder: Path) -> None:
    vectors = {path.stem: json.loads(path.read_text(encoding="ascii")) for path in folder.glob("*.json")}
    assert {name: faults for name, vector in vectors.items() if (faults := faults_of(vector))} == {}


def test_a_vector_of_another_form_is_found() -> None:
    good = {"notes": "x", "operation": "value", "input": {}, "expect": "ok", "output": {}}
    assert faults_of(good) == []
    assert faults_of({**good, "expect": "fine"}) == ["expects neither ok nor a fault"]
    assert faults_of({**good, "operation": "?", "more": 1}) == ["more is unknown", "no operation"]
    assert faults_of({"operation": "value", "expect": {"layer": "attic", "why": 1}}) == [
        "no notes",
        "no input",
        "no fault in expect",
        "why is unknown in expect",
        "no such layer",
        "no such fault",
    ]


def test_the_layers_are_those_of_the_specification() -> None:
    text = (PROTOCOL / "spec" / "faults.md").read_text(encoding="utf-8")
    table = text.split("\n## Layers\n")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == EXPECT["properties"]["layer"]["enum"]


def test_every_fault_is_found_in_a_layer_that_the_specification_has_for_it() -> None:
    text = (PROTOCOL / "spec" / "faults.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \|.*\| ([^|]*) \| \w+ \|$", text.split("\n## Codes\n")[1], re.MULTILINE)
    layers = {code: set(named.split(", ")) for code, named in rows}
    assert layers.keys() == set(FaultCode)
    vectors = (json.loads(path.read_text(encoding="ascii")) for path in PROTOCOL.glob("vectors/*/*.json"))
    expected = {tuple(vector["expect"].values())[:2] for vector in vectors if vector["expect"] != "ok"}
    assert {(fault, layer) for fault, layer in expected if layer not in layers[fault]} == set()


def test_the_readme_of_the_vectors_names_every_operation() -> None:
    text = (PROTOCOL / "vectors" / "README.md").read_text(encoding="utf-8")
    for folder in FOLDERS:
        _, found, rest = text.partition(f"\n## Topic `{folder.name}`\n")
        assert found, folder.name
        described = set(re.findall(r"^\| `(\w+)` \|", rest.split("\n## ")[0], re.MULTILINE))
        used = {json.loads(path.read_text(encoding="ascii"))["operation"] for path in folder.glob("*.json")}
        assert described == used
