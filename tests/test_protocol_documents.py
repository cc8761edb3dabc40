"""The specification's tables say what the code does: limits, faults, phases, fields, labels.

The documents are read as people read them, table by table; each reader is tried on a table of its own too.
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from p2prummi.crypto.labels import Label
from p2prummi.errors import FaultCode
from p2prummi.rules import TileSet
from p2prummi.rules.fields import WHOLE_NUMBERS
from p2prummi.rules.tiles import TILE_SETS
from p2prummi.transcript import evidence, file
from p2prummi.transcript.phases import NEED_FINALITY, NEXT, SLOTS, Filler, Outcome, Phase
from p2prummi.wire import limits
from p2prummi.wire.events import PAYLOADS
from p2prummi.wire.frames import FRAMES

ROOT = Path(__file__).parent.parent
PROTOCOL = ROOT / "protocol"
SPEC = PROTOCOL / "spec"
PACKAGE = ROOT / "p2prummi"

LINK = re.compile(r"\]\((?!https?://)([^)#]+)(?:#[^)]*)?\)")
DOCUMENT_NAME = re.compile(r"`([\w/.]+\.(?:md|json))`")
SECTION_NAME = re.compile(r'`(\w+\.md)`, "([^"]+)"')
LABEL_PREFIX = "p2prummi/1 "
EVENT_HEADER_FIELDS = 5


def document(name: str) -> str:
    return (SPEC / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """The part of a document below a heading, up to the next one that is not deeper."""
    marks = heading.split(" ", 1)[0]
    _, found, rest = f"\n{text}".partition(f"\n{heading}\n")
    assert found, f"there is no heading {heading!r}"
    return re.split(rf"\n#{{1,{len(marks)}}} ", rest)[0]


def tables(text: str) -> list[list[dict[str, str]]]:
    """Every table of a text: its rows by the titles of the columns, code marks left out."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text + "\n", re.MULTILINE):
        lines = [re.split(r"(?<!\\)\|", line.strip())[1:-1] for line in block.splitlines()]
        titles, _, *rows = ([cell.strip().replace("`", "") for cell in line] for line in lines)
        found.append([dict(zip(titles, row, strict=True)) for row in rows])
    return found


def rows(text: str, heading: str) -> list[dict[str, str]]:
    """The rows of the first table below a heading."""
    return tables(section(text, heading))[0]


def described_fields(text: str, heading: str) -> dict[str, list[str]]:
    """The fields of each message that has a heading of its own below this one, by the message's name."""
    below = section(text, heading)
    names = re.findall(r"^### `(\w+)`$", below, re.MULTILINE)
    described = {}
    for name in names:
        found = tables(section(below, f"### `{name}`"))
        described[name] = [row["field"] for row in found[0]] if found else []
    return described


def members_used(enumeration: str, folder: Path) -> set[str]:
    """The members of an enumeration that modules name, as in `FaultCode.WRONG_SEAT`."""
    return {
        node.attr
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == enumeration
    }


def labels_used(package: str) -> set[str]:
    """The labels that the modules of a package name."""
    return {Label[name].removeprefix(LABEL_PREFIX) for name in members_used("Label", PACKAGE / package)}


def labels_described(text: str, heading: str) -> set[str]:
    return {row["label"].strip('"') for row in rows(text, heading)}


def test_the_reader_of_tables_reads_each_table() -> None:
    one = "## One\n\n| a | b |\n|---|---|\n| `x` | y \\| z |\n"
    text = f"{one}\n### Two\n\n| c |\n|---|\n| 1 |\n| 2 |\n\n## Three\n"
    assert tables(section(text, "## One")) == [[{"a": "x", "b": "y \\| z"}], [{"c": "1"}, {"c": "2"}]]
    assert rows(text, "### Two") == [{"c": "1"}, {"c": "2"}]
    with pytest.raises(AssertionError, match="no heading"):
        section(text, "## Four")


def test_the_limits_are_those_of_the_program() -> None:
    described = {
        row["limit"]: float(row["value"]) for table in tables(document("limits.md")) for row in table
    }
    assert described == {
        name.lower(): value for name, value in vars(limits).items() if isinstance(value, int | float)
    }


def test_a_ruleset_keeps_to_the_limits() -> None:
    assert WHOLE_NUMBERS["rounds"][1] == limits.ROUNDS_MAX
    assert max(TileSet(copies, jokers).size for copies, jokers in TILE_SETS) == limits.TILES_MAX


def test_every_limit_has_its_reason_and_a_fault_that_exists() -> None:
    for table in tables(document("limits.md")):
        for row in table:
            assert row["unit"]
            assert row["reason"]
            assert re.findall(r"[a-z]+_[a-z_]+", row["fault"]) or row["fault"] == "none"
            assert set(re.findall(r"[a-z]+_[a-z_]+", row["fault"])) <= set(FaultCode)


def test_the_faults_are_those_of_the_program() -> None:
    assert [row["code"] for row in rows(document("faults.md"), "## Codes")] == list(FaultCode)


def test_no_fault_or_label_is_named_that_nothing_uses() -> None:
    assert {code.name for code in FaultCode} - members_used("FaultCode", PACKAGE) == set()
    assert {label.name for label in Label} - members_used("Label", PACKAGE) == set()


def test_every_fault_has_its_meaning_its_layers_and_whom_it_is_blamed_on() -> None:
    layers = {row["layer"] for row in rows(document("faults.md"), "## Layers")}
    for row in rows(document("faults.md"), "## Codes"):
        assert row["meaning"]
        assert set(row["layers"].split(", ")) <= layers
        assert row["blamed"] in {"link", "signer", "either", "file"}


def test_the_phases_are_filled_as_the_program_fills_them() -> None:
    described = {
        row["phase"]: (row["filled by"], row["kinds"], row["waits for finality"])
        for row in rows(document("session.md"), "## A round")
    }
    assert described == {
        phase.value: (
            SLOTS[phase].filler.value,
            ", ".join(sorted(SLOTS[phase].kinds)),
            "yes" if SLOTS[phase].kinds <= NEED_FINALITY else "no",
        )
        if phase in SLOTS
        else ("nobody", "", "")
        for phase in Phase
    }


def test_the_phases_follow_each_other_as_in_the_program() -> None:
    _, transitions, *_ = tables(section(document("session.md"), "## A round"))
    described = [(row["phase"], row["outcome"].split(":")[0], row["next phase"]) for row in transitions]
    assert described == [
        (phase.value, outcome.value, after.value) for (phase, outcome), after in NEXT.items()
    ]


def test_every_filler_and_outcome_is_explained() -> None:
    text = section(document("session.md"), "## A round")
    assert [name.value for name in (*Filler, *Outcome) if f"`{name.value}`" not in text] == []


def test_the_header_of_an_event_has_the_fields_that_are_described() -> None:
    described = [row["field"] for row in rows(document("events.md"), "## Bodies")]
    assert described == ["kind", "context", "sequence", "prev", "seat"]


@pytest.mark.parametrize(
    ("heading", "known"), [("## Bodies", PAYLOADS), ("## Frames", FRAMES)], ids=["events", "frames"]
)
def test_the_fields_of_messages_are_those_of_the_program(heading: str, known: dict[str, Any]) -> None:
    assert described_fields(document("events.md"), heading) == {
        name: [field.name for field in fields(message)] for name, message in known.items()
    }


def test_the_fields_of_the_handshake_are_those_of_the_schema() -> None:
    definitions = json.loads((PROTOCOL / "schema" / "events.json").read_text(encoding="utf-8"))["$defs"]
    named = {
        message["prefixItems"][0]["const"]: [field["title"] for field in message["prefixItems"][1:]]
        for message in definitions["handshake"]["oneOf"]
    }
    _, described, *_ = tables(section(document("transport.md"), "## Handshake"))
    assert named == {
        row["frame"]: [field.split(":")[0] for field in row["fields"].split(", ") if field != "none"]
        for row in described
    }


@pytest.mark.parametrize("heading", ["## Bodies", "## Frames"])
def test_the_sizes_of_fields_are_those_of_the_schema(heading: str) -> None:
    """The range that stands in a field's type is the one that the schema has for it."""
    definitions = json.loads((PROTOCOL / "schema" / "events.json").read_text(encoding="utf-8"))["$defs"]
    of, header = ("events", EVENT_HEADER_FIELDS) if heading == "## Bodies" else ("frames", 1)
    text = section(document("events.md"), heading)
    for message in definitions[of]["oneOf"]:
        name = message["prefixItems"][0]["const"]
        found = tables(section(text, f"### `{name}`"))
        described = [row["type"] for row in found[0]] if found else []
        assert described == [in_words(node, definitions) for node in message["prefixItems"][header:]], name


NAMED_TYPES = {"hash": "hash", "key": "key", "signature": "signature", "point": "point", "map": "map"}


def in_words(node: dict[str, Any], definitions: dict[str, Any]) -> str:
    """A node of the schema in the words of the specification."""
    name = node.get("$ref", "").removeprefix("#/$defs/")
    if name in NAMED_TYPES:
        return NAMED_TYPES[name]
    node = definitions.get(name, node)
    match node:
        case {"enum": [*choices, last]}:
            return ", ".join(f'"{choice}"' for choice in choices) + f' or "{last}"'
        case {"prefixItems": parts}:
            return f"[{', '.join(in_words(part, definitions) for part in parts)}]"
        case {"type": "boolean"}:
            return "truth value"
        case {"type": "integer", "minimum": least, "maximum": most}:
            return f"integer {least}..{most}"
        case {"type": "string", "minBytes": least, "maxBytes": most}:
            return f"text {least}..{most}"
        case {"type": "array", "minItems": least, "maxItems": most, "items": item}:
            return f"array {least}..{most} of {in_words(item, definitions)}"
        case {"properties": {"blob": {"minLength": least, "maxLength": most}}}:
            return f"blob {least // 2}" if least == most else f"blob {least // 2}..{most // 2}"
    raise AssertionError(f"there are no words for {node}")


def test_the_labels_are_those_of_the_program() -> None:
    described = [row["label"].strip('"') for row in rows(document("notation.md"), "## Labels and framing")]
    assert described == [label.removeprefix(LABEL_PREFIX) for label in Label]


def test_the_labels_of_the_chain_and_the_agreement_are_all_described() -> None:
    text = document("events.md")
    described = labels_described(text, "## Hashes") | labels_described(text, "## Signatures")
    used = labels_used("transcript") | labels_used("wire") | labels_used("session")
    # The handshake's own labels are described with the transport.
    assert described == used - {"sign handshake", "certificate"}


@pytest.mark.parametrize(("name", "magic"), [("events.md", file.MAGIC), ("evidence.md", evidence.MAGIC)])
def test_a_file_begins_as_described(name: str, magic: bytes) -> None:
    beginning = re.search(r'the (\d+) bytes "([^"]+)" and a line feed', document(name))
    assert beginning is not None
    assert (f"{beginning[2]}\n".encode("ascii"), int(beginning[1])) == (magic, len(magic))


def test_what_evidence_says_of_itself_has_the_fields_that_are_described() -> None:
    assert [(row["field"], row["type"]) for row in rows(document("evidence.md"), "## The file")] == [
        ("code", f"text 1..{evidence.CODE_BYTES_MAX}"),
        ("words", f"text 0..{limits.TEXT_BYTES_MAX}"),
        ("culprit", "key"),
    ]


def test_what_each_fault_takes_as_evidence_is_said_of_faults_that_are_blamed_on_a_signer() -> None:
    _, described, *_ = tables(section(document("evidence.md"), "## The file"))
    blamed = {row["code"]: row["blamed"] for row in rows(document("faults.md"), "## Codes")}
    *named, rest = [row["fault"] for row in described]
    assert {blamed[code] for code in named} == {"signer"}
    assert rest == "any other"


@pytest.mark.parametrize("path", sorted(PROTOCOL.rglob("*.md")), ids=lambda path: path.name)
def test_what_a_document_refers_to_is_there(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    linked = [name for name in LINK.findall(text) if not (path.parent / name).exists()]
    named = [
        name
        for name in DOCUMENT_NAME.findall(text)
        if not any((folder / name).exists() for folder in (path.parent, PROTOCOL, ROOT))
    ]
    assert (linked, named) == ([], [])


@pytest.mark.parametrize("path", sorted(SPEC.glob("*.md")), ids=lambda path: path.name)
def test_the_sections_referred_to_are_there(path: Path) -> None:
    named = SECTION_NAME.findall(path.read_text(encoding="utf-8"))
    assert [
        (name, title)
        for name, title in named
        if (SPEC / name).exists() and not re.search(rf"^#+ {re.escape(title)}$", document(name), re.MULTILINE)
    ] == []


@pytest.mark.parametrize("path", sorted(PROTOCOL.rglob("*.md")), ids=lambda path: path.name)
def test_the_specification_names_nothing_of_the_program(path: Path) -> None:
    text = path.read_text(encoding="utf-8").lower()
    assert [word for word in ("python", "msgpack library", "dataclass", ".py", "none`") if word in text] == []
