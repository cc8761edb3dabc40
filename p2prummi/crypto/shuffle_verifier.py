"""Judging shuffle proofs: five equations, each with a name; many proofs in one sum.

Each equation says that a linear combination of points is neutral. The verifier multiplies every equation by a
fresh random number of 128 bits that nobody else knows, and adds all of them, of all proofs: the sum is
neutral if every equation holds, and else with probability 2**-128. Points that occur more than once (the
generators; a deck that one seat made and the next one shuffled) are multiplied once: (2P + 2)·N
multiplications for the P proofs of a round. Where the sum is not neutral, each equation of each proof is
judged by itself, to name seat and condition. Letters and equations as in `protocol/spec/crypto.md`, "Shuffle
argument". Source: Bayer and Groth, Eurocrypt 2012.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from p2prummi.crypto.commitment import generators
from p2prummi.crypto.elgamal import Deck
from p2prummi.crypto.entropy import Entropy, random_weights
from p2prummi.crypto.group import GENERATOR, ORDER, Point, combine_public
from p2prummi.crypto.refusal import RefusalError
from p2prummi.crypto.shuffle_statement import (
    ShuffleChallenges,
    ShuffleProof,
    ShuffleStatement,
    powers_of,
    product_target,
)
from p2prummi.errors import FaultCode, LocalProtocolError


class _Sum:
    """A linear combination of points that grows equation by equation, each point named once."""

    __slots__ = ("decks", "generator", "generators", "joint_key", "points")

    def __init__(self, size: int) -> None:
        self.generator = 0
        self.joint_key = 0
        self.generators = [0] * size
        self.points: list[tuple[int, Point]] = []
        self.decks: dict[Deck, tuple[list[int], list[int]]] = {}

    def part(self, deck: Deck, component: int) -> list[int]:
        """The coefficients of the deck's first (0) or second (1) parts."""
        if deck not in self.decks:
            self.decks[deck] = ([0] * deck.size, [0] * deck.size)
        return self.decks[deck][component]

    def is_neutral(self, joint_key: Point) -> bool:
        """Whether all terms together are the neutral element."""
        terms = [(self.generator, GENERATOR), (self.joint_key, joint_key), *self.points]
        terms += zip(self.generators, generators(len(self.generators)), strict=True)
        for deck, (firsts, seconds) in self.decks.items():
            terms += zip(firsts, deck.firsts, strict=True)
            terms += zip(seconds, deck.seconds, strict=True)
        # A prover may send any point, a generator too: equal points are added up, none replaces another.
        coefficients: dict[Point, int] = {}
        for scalar, point in terms:
            coefficients[point] = coefficients.get(point, 0) + scalar
        generator = coefficients.pop(GENERATOR)
        return combine_public(list(coefficients.values()), list(coefficients), generator=generator).is_neutral


class _Claim:
    """One statement, its parsed proof and everything that follows from both.

    It is what the equations speak about.
    """

    __slots__ = ("X", "b", "powers", "proof", "size", "statement", "x", "y", "z")

    def __init__(self, joint_key: Point, statement: ShuffleStatement) -> None:
        self.statement = statement
        self.size = statement.before.size
        self.proof = proof = ShuffleProof.from_bytes(statement.proof, self.size)
        challenges = ShuffleChallenges(
            statement.context, statement.seat, joint_key, statement.before, statement.after
        )
        self.X = challenges.permutation(proof.A)
        self.y, self.z = challenges.powers(proof.B)
        self.x = challenges.answers(
            proof.C_d, proof.C_delta, proof.C_Delta, proof.C_beta, proof.E_first, proof.E_second
        )
        self.powers = powers_of(self.X, self.size)
        # b'_1 = a'_1 and b'_N = x·Π are not sent: so they can't be wrong.
        last = self.x * product_target(self.X, self.y, self.z, self.size) % ORDER
        self.b = (proof.a[0], *proof.b, last)


def _factors(claim: _Claim, weight: int, total: _Sum) -> None:
    """1: x·(y·A + B - com(z..z; 0)) + Cd = com(a'; r_a)."""
    proof, shift = claim.proof, claim.x * claim.z
    total.points.append((weight * claim.x * claim.y, proof.A))
    total.points.append((weight * claim.x, proof.B))
    total.points.append((weight, proof.C_d))
    total.generator -= weight * proof.r_a
    for i, answer in enumerate(proof.a):
        total.generators[i] -= weight * (shift + answer)


def _product(claim: _Claim, weight: int, total: _Sum) -> None:
    """2: x·CΔ + Cδ = com(x·b'_(i+1) - b'_i·a'_(i+1); r_b)."""
    proof, b = claim.proof, claim.b
    total.points.append((weight * claim.x, proof.C_Delta))
    total.points.append((weight, proof.C_delta))
    total.generator -= weight * proof.r_b
    for i in range(claim.size - 1):
        total.generators[i] -= weight * (claim.x * b[i + 1] - b[i] * proof.a[i + 1])


def _powers(claim: _Claim, weight: int, total: _Sum) -> None:
    """3: x·B + Cβ = com(m'; r_m)."""
    proof = claim.proof
    total.points.append((weight * claim.x, proof.B))
    total.points.append((weight, proof.C_beta))
    total.generator -= weight * proof.r_m
    for i, answer in enumerate(proof.m):
        total.generators[i] -= weight * answer


def _first_parts(claim: _Claim, weight: int, total: _Sum) -> None:
    """4, first component: x·Σ X^i·e_i + E0 = ρ'·G + Σ m'_i·e'_i."""
    total.points.append((weight, claim.proof.E_first))
    total.generator -= weight * claim.proof.rho
    _relate(claim, weight, total, 0)


def _second_parts(claim: _Claim, weight: int, total: _Sum) -> None:
    """4, second component: x·Σ X^i·e_i + E0 = ρ'·Y + Σ m'_i·e'_i."""
    total.points.append((weight, claim.proof.E_second))
    total.joint_key -= weight * claim.proof.rho
    _relate(claim, weight, total, 1)


def _relate(claim: _Claim, weight: int, total: _Sum, component: int) -> None:
    scale = weight * claim.x % ORDER
    before = total.part(claim.statement.before, component)
    for i, power in enumerate(claim.powers):
        before[i] += scale * power
    after = total.part(claim.statement.after, component)
    for i, answer in enumerate(claim.proof.m):
        after[i] -= weight * answer


_EQUATIONS: tuple[tuple[str, Callable[[_Claim, int, _Sum], None]], ...] = (
    ("factors", _factors),
    ("product", _product),
    ("powers", _powers),
    ("first parts", _first_parts),
    ("second parts", _second_parts),
)


def verify_shuffles(joint_key: Point, statements: Sequence[ShuffleStatement], entropy: Entropy) -> None:
    """Check the proofs of any number of shuffles under one joint key.

    Raises `RefusalError` for the first wrong one; its `seat` is that of the statement. Codes: `wrong_schema`,
    `invalid_point`, `neutral_element`, `invalid_scalar` for the bytes of a proof; `shuffle_proof_failed` with
    the equation's name as the condition. `entropy` gives the weights: it must be unknown to every prover.
    That each statement begins with the deck of the one before is for the caller to see to. Raises
    `LocalProtocolError` for decks of different sizes.
    """
    if not statements:
        return
    size = statements[0].before.size
    if any(deck.size != size for statement in statements for deck in (statement.before, statement.after)):
        raise LocalProtocolError("the decks of one verification have one size")
    claims = [_read_claim(joint_key, statement) for statement in statements]
    total = _Sum(size)
    weights = iter(random_weights(entropy, len(claims) * len(_EQUATIONS)))
    for claim in claims:
        for _, equation in _EQUATIONS:
            equation(claim, next(weights), total)
    if total.is_neutral(joint_key):
        return
    for claim in claims:
        _judge_alone(joint_key, claim)


def _read_claim(joint_key: Point, statement: ShuffleStatement) -> _Claim:
    try:
        return _Claim(joint_key, statement)
    except RefusalError as refusal:
        raise refusal.of_seat(statement.seat) from None


def _judge_alone(joint_key: Point, claim: _Claim) -> None:
    for name, equation in _EQUATIONS:
        total = _Sum(claim.size)
        equation(claim, 1, total)
        if not total.is_neutral(joint_key):
            raise RefusalError(
                FaultCode.SHUFFLE_PROOF_FAILED,
                name,
                "the deck is not proved to be a shuffle",
                seat=claim.statement.seat,
            )
