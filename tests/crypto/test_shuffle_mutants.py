"""Each equation of the shuffle argument and each item in its challenges is needed, shown by attack.

Every row leaves one thing out of a copy of the source and names the attack. The attack must succeed against
the copy, must be refused by the real verifier, and must fail too when it is made for the real challenges.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import pytest

from p2prummi.crypto import deck as crypto
from p2prummi.crypto import shuffle_statement, shuffle_verifier
from p2prummi.crypto.commitment import generators
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.shuffle_prover import ShuffleOpening
from p2prummi.errors import FaultCode
from tests.crypto.mutants import Mutation, load, real_modules, source_of
from tests.crypto.rounds import play_round, refused
from tests.crypto.shuffle_forgery import Forger, Forgery


@dataclass(frozen=True, slots=True)
class Row:
    """One thing left out; the cheat and the late item of the attack.

    The condition that stops it in the real one.
    """

    mutation: Mutation
    cheat: str | None
    late: str | None
    condition: str | None = None

    def __str__(self) -> str:
        return str(self.mutation)


def without_item(item: str, value: str) -> Mutation:
    return Mutation(
        name=f"{item} is not hashed",
        module="shuffle_statement",
        old=f'        self._running.absorb("{item}", {value})\n',
    )


def without_equation(name: str, function: str) -> Mutation:
    return Mutation(
        name=f"equation {name} is not checked",
        module="shuffle_verifier",
        old=f'    ("{name}", {function}),\n',
    )


FORGED = (
    Row(without_equation("factors", "_factors"), "a", None, "factors"),
    Row(without_equation("product", "_product"), "b", None, "product"),
    Row(without_equation("powers", "_powers"), "m", None, "powers"),
    Row(without_equation("first parts", "_first_parts"), "e", "first parts", "first parts"),
    Row(without_equation("second parts", "_second_parts"), "e", "second parts", "second parts"),
    Row(without_item("Y", "joint_key.to_bytes()"), "e", "Y"),
    Row(without_item("deck", "before.to_bytes()"), "e", "deck"),
    Row(without_item("deck'", "after.to_bytes()"), "e", "deck'"),
    Row(without_item("A", "A.to_bytes()"), None, "A"),
    Row(without_item("B", "B.to_bytes()"), None, "B"),
    Row(without_item("Cd", "C_d.to_bytes()"), "a", "Cd"),
    Row(without_item("Cdelta", "C_delta.to_bytes()"), "b", "Cdelta"),
    Row(without_item("CDelta", "C_Delta.to_bytes()"), "b", "CDelta"),
    Row(without_item("Cbeta", "C_beta.to_bytes()"), "m", "Cbeta"),
    Row(without_item("E0", "E_first.to_bytes() + E_second.to_bytes()"), "e", "E0"),
    Row(
        Mutation(
            name="all weights of the sum are one",
            module="shuffle_verifier",
            old="random_weights(entropy, len(claims) * len(_EQUATIONS))",
            new="[1] * (len(claims) * len(_EQUATIONS))",
        ),
        "e",
        "equal weights",
    ),
)

REPLAYED = (
    without_item("context", "context"),
    without_item("seat", "uint32(seat)"),
)


def judge(modules: dict[str, ModuleType], forgery: Forgery) -> None:
    modules["shuffle_verifier"].verify_shuffles(
        forgery.joint_key, [forgery.statement(modules)], SeededEntropy(b"verifier")
    )


def statement_module(modules: dict[str, ModuleType]) -> Any:
    return modules.get("shuffle_statement", shuffle_statement)


@pytest.mark.parametrize("row", FORGED, ids=str)
def test_attack_works_without_it_and_not_with_it(row: Row) -> None:
    mutant, real = load(row.mutation), real_modules(row.mutation.module)
    forgery = Forger(statement_module(mutant), row.cheat, row.late).forge()
    judge(mutant, forgery)
    with refused(FaultCode.SHUFFLE_PROOF_FAILED):
        judge(real, forgery)
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, row.condition):
        judge(real, Forger(statement_module(real), row.cheat, row.late).forge())


@pytest.mark.parametrize("mutation", REPLAYED, ids=str)
def test_replay_works_without_it_and_not_with_it(mutation: Mutation) -> None:
    """A good proof, shown again as that of another context or seat."""
    mutant = load(mutation)
    round_ = play_round(2, 4)
    good = round_.statements[1]
    elsewhere: dict[str, Any] = {"context": b"another"} if "context" in mutation.name else {"seat": 0}
    # The good proof must be the mutant's own: its challenges differ from the real ones.
    forgery = Forger(mutant["shuffle_statement"], None, None).forge()
    judge(mutant, forgery)
    judge(mutant, replace(forgery, **elsewhere))

    other = replace(good, **elsewhere)
    shuffle_verifier.verify_shuffles(round_.joint.point, [good], round_.entropy)
    with refused(FaultCode.SHUFFLE_PROOF_FAILED, seat=other.seat):
        shuffle_verifier.verify_shuffles(round_.joint.point, [other], round_.entropy)


def test_honest_forger_is_believed() -> None:
    """The cheating prover without a cheat makes good proofs: its failures elsewhere are due to the cheat."""
    judge(real_modules("shuffle_statement"), Forger(shuffle_statement, None, None).forge())


def test_table_names_every_equation_and_every_absorbed_item() -> None:
    """A new equation or item without its attack is noticed here."""
    names = [row.mutation.name for row in FORGED] + [mutation.name for mutation in REPLAYED]
    for name, _ in shuffle_verifier._EQUATIONS:
        assert f"equation {name} is not checked" in names
    items = re.findall(r'\.absorb\(\s*"([^"]+)"', source_of("shuffle_statement"))
    assert len(items) == 12
    for item in items:
        assert f"{item} is not hashed" in names


def test_generators_are_computed_never_received() -> None:
    """A prover has no field in which to send generators of its own."""
    fields = {*shuffle_statement.ShuffleProof.__dataclass_fields__}
    assert fields == {
        "A", "B", "C_d", "C_delta", "C_Delta", "C_beta", "E_first", "E_second",
        "a", "b", "m", "r_a", "r_b", "r_m", "rho",
    }  # fmt: skip
    fields = {*shuffle_statement.ShuffleStatement.__dataclass_fields__}
    assert fields == {"context", "seat", "before", "after", "proof"}


def test_proof_point_that_equals_a_generator_counts_for_both() -> None:
    """Equal points in the sum are added up: a good proof whose Cβ is h_1 is accepted."""
    round_ = play_round(2, 4)
    before = round_.decks[0]
    prepared = crypto.prepare_shuffle(4, round_.entropy).with_key(round_.joint)
    after, opening = crypto.apply_shuffle(prepared, before)
    masks = opening.take_masks(round_.entropy)
    masks = replace(masks, beta=[1, 0, 0, 0], r_beta=0, C_beta=generators(4)[0])
    opening = ShuffleOpening(opening.order, opening.randomness, masks)
    proof = crypto.prove_shuffle(b"", 0, round_.joint, before, after, opening, round_.entropy)
    statement = crypto.ShuffleStatement(context=b"", seat=0, before=before, after=after, proof=proof)
    crypto.verify_shuffles(round_.joint, [statement], round_.entropy)
