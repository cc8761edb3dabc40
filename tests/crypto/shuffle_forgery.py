"""A cheating prover of shuffles: how the argument would be fooled if one of its parts were missing.

Letters as in `protocol/spec/crypto.md`. `u` is what A commits to, `w` what B commits to, `v` what the answers
m' are made from; an honest prover has u = π and w = v = X^π. A *cheat* says which answers are made up:

- "a": a' is chosen after x so that the product comes out, whatever A and B hold;
- "b": b' is made up, so that the product need not be right;
- "m": m' follows the false deck, while B holds honest powers;
- "e": nothing is made up but the relation between the decks is wrong;
- None: nothing is made up.

A *late* item is computed last, from the equation that it alone can repair: possible where no challenge hashes
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from p2prummi.crypto import shuffle_statement
from p2prummi.crypto.commitment import commit
from p2prummi.crypto.elgamal import Deck
from p2prummi.crypto.entropy import SeededEntropy, random_scalars
from p2prummi.crypto.group import (
    GENERATOR,
    NEUTRAL,
    ORDER,
    Point,
    add,
    combine_public,
    multiply_generator,
    multiply_public,
)

SIZE = 4
Pair = tuple[Point, Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgery:
    """A statement that is false, and the proof that the cheating prover made for it."""

    joint_key: Point
    context: bytes
    seat: int
    before: Deck
    after: Deck
    proof: bytes

    def statement(self, modules: dict[str, ModuleType]) -> Any:
        """The statement, as the type of the modules that judge it."""
        module: Any = modules.get("shuffle_statement", shuffle_statement)
        return module.ShuffleStatement(
            context=self.context, seat=self.seat, before=self.before, after=self.after, proof=self.proof
        )


def inverse(scalar: int) -> int:
    return pow(scalar, -1, ORDER)


def scaled(scalar: int, pair: Pair) -> Pair:
    return multiply_public(scalar, pair[0]), multiply_public(scalar, pair[1])


def summed(*pairs: Pair) -> Pair:
    return add([pair[0] for pair in pairs]), add([pair[1] for pair in pairs])


def weighted(scalars: list[int], pairs: list[Pair]) -> Pair:
    return (
        combine_public(scalars, [pair[0] for pair in pairs]),
        combine_public(scalars, [pair[1] for pair in pairs]),
    )


def minus(pair: Pair) -> Pair:
    return -pair[0], -pair[1]


def deck_of(pairs: list[Pair]) -> Deck:
    return Deck([pair[0] for pair in pairs], [pair[1] for pair in pairs])


class Forger:
    """One attempt, made with the challenges of `module`: the real one, or one that hashes too little."""

    def __init__(self, module: Any, cheat: str | None, late: str | None) -> None:
        self.module = module
        self.cheat = cheat
        self.late = late
        self.entropy = SeededEntropy(f"forgery {cheat} {late}".encode())
        self.context, self.seat = b"context", 1
        self.joint_key = multiply_generator(self.scalar())
        self.r = self.scalars()
        self.before = [
            (multiply_generator(self.scalar()), multiply_generator(self.scalar())) for _ in range(SIZE)
        ]
        self.after = [summed(pair, self.encrypted(r)) for pair, r in zip(self.before, self.r, strict=True)]

    def scalar(self) -> int:
        return random_scalars(self.entropy, 1)[0]

    def scalars(self) -> list[int]:
        return random_scalars(self.entropy, SIZE)

    def encrypted(self, r: int) -> Pair:
        return multiply_generator(r), multiply_public(r, self.joint_key)

    # What is claimed, and the vector v for which the relation between the decks holds.

    def tamper(self) -> None:
        """Make the claim false, in a way that the cheat can cover.

        Without cheat or late item it stays true.
        """
        if self.cheat is None and self.late is None:
            return
        if self.cheat in ("a", "b", "m") or self.late == "A":
            # Tile 1 becomes a foreign tile: twice its ciphertext. X/2 instead of X then fits the relation.
            self.after[0] = scaled(2, self.after[0])
        elif self.late == "B":
            self.tamper_known_plaintexts()
        elif self.late in ("Y", "second parts", "equal weights"):
            self.after[0] = (self.after[0][0], self.after[0][1] + GENERATOR)
        elif self.late == "first parts":
            self.after[0] = (self.after[0][0] + GENERATOR, self.after[0][1])
        else:
            self.after[0] = summed(self.after[0], (GENERATOR, GENERATOR))

    def tamper_known_plaintexts(self) -> None:
        """Decks whose discrete logarithms the prover knows; the first output hides the neutral element."""
        self.known = {name: self.scalars() for name in ("m", "s", "m'", "s'")}
        self.known["m'"][0] = 0
        self.before, self.after = (
            [
                summed((NEUTRAL, multiply_generator(m)), self.encrypted(s))
                for m, s in zip(self.known[plain], self.known[random], strict=True)
            ]
            for plain, random in (("m", "s"), ("m'", "s'"))
        )

    def relation(self, powers: list[int]) -> list[int]:
        """The v with Σ X^i·e_i = Enc(0; ρ) + Σ v_i·e'_i, which the claim would need."""
        if self.cheat in ("a", "b", "m") or self.late == "A":
            return [powers[0] * inverse(2) % ORDER, *powers[1:]]
        return list(powers)

    def solve_known_plaintexts(
        self, powers: list[int], u: list[int], y: int, z: int, target: int
    ) -> list[int]:
        """The v that fits the relation and the product both, chosen when y and z are known."""
        m, m_after = self.known["m"], self.known["m'"]
        v = self.scalars()
        wanted = sum(p * plain for p, plain in zip(powers, m, strict=True))
        v[1] = (wanted - sum(v[i] * m_after[i] for i in range(2, SIZE))) * inverse(m_after[1]) % ORDER
        others = 1
        for i in range(1, SIZE):
            others = others * (y * u[i] + v[i] - z) % ORDER
        v[0] = (target * inverse(others) - y * u[0] + z) % ORDER
        return v

    def rho(self, powers: list[int], v: list[int]) -> int:
        if self.late == "B":
            before = sum(p * s for p, s in zip(powers, self.known["s"], strict=True))
            return (before - sum(a * s for a, s in zip(v, self.known["s'"], strict=True))) % ORDER
        return -sum(r * p for r, p in zip(self.r, powers, strict=True)) % ORDER

    def forge(self) -> Forgery:
        """The whole attack: claim, commitments, answers, and the late item last of all."""
        self.tamper()
        challenges = self.module.ShuffleChallenges(
            self.context, self.seat, self.joint_key, deck_of(self.before), deck_of(self.after)
        )
        self.commit_to_permutation(challenges)
        self.commit_to_masks()
        x = challenges.answers(*(self.shown[name] for name in ("Cd", "Cdelta", "CDelta", "Cbeta")), *self.E0)
        self.answer(x)
        self.repair(x)
        proof = self.module.ShuffleProof(
            A=self.shown["A"], B=self.shown["B"], C_d=self.shown["Cd"], C_delta=self.shown["Cdelta"],
            C_Delta=self.shown["CDelta"], C_beta=self.shown["Cbeta"], E_first=self.E0[0], E_second=self.E0[1],
            a=tuple(self.a), b=tuple(self.b[1:-1]), m=tuple(self.m), **self.openings,
        )  # fmt: skip
        return Forgery(
            joint_key=self.joint_key,
            context=self.context,
            seat=self.seat,
            before=deck_of(self.before),
            after=deck_of(self.after),
            proof=proof.to_bytes(),
        )

    def commit_to_permutation(self, challenges: Any) -> None:
        """A and B; where one of them is late, it is chosen again when y and z are known."""
        u = list(range(1, SIZE + 1))
        self.r_A, self.r_B = random_scalars(self.entropy, 2)
        self.shown = {"A": commit(u, self.r_A, SIZE)}
        self.X = challenges.permutation(self.shown["A"])
        self.powers = self.module.powers_of(self.X, SIZE)
        self.v = self.relation(self.powers)
        w = list(self.powers) if self.cheat == "m" else self.v
        self.shown["B"] = commit(w, self.r_B, SIZE)
        self.y, z = challenges.powers(self.shown["B"])
        self.z, self.target = z, self.module.product_target(self.X, self.y, z, SIZE)
        if self.late == "B":
            w = self.v = self.solve_known_plaintexts(self.powers, u, self.y, z, self.target)
            self.shown["B"] = commit(w, self.r_B, SIZE)
        if self.late == "A":
            others = 1
            for i in range(1, SIZE):
                others = others * (self.y * u[i] + w[i] - z) % ORDER
            u[0] = (self.target * inverse(others) - w[0] + z) * inverse(self.y) % ORDER
            self.shown["A"] = commit(u, self.r_A, SIZE)
        self.factors = [(self.y * u[i] + w[i] - z) % ORDER for i in range(SIZE)]

    def commit_to_masks(self) -> None:
        """Everything else that is shown before x."""
        self.r_d, self.r_delta, self.r_Delta, self.r_beta, self.rho0 = random_scalars(self.entropy, 5)
        self.d, self.beta = self.scalars(), self.scalars()
        self.delta = delta = [self.d[0], *self.scalars()[2:], 0]
        a, d = self.factors, self.d
        self.products = b = [a[0]]
        for factor in a[1:]:
            b.append(b[-1] * factor % ORDER)
        steps = range(SIZE - 1)
        self.shown |= {
            "Cd": commit(d, self.r_d, SIZE),
            "Cdelta": commit([-delta[i] * d[i + 1] for i in steps], self.r_delta, SIZE),
            "CDelta": commit(
                [delta[i + 1] - a[i + 1] * delta[i] - b[i] * d[i + 1] for i in steps], self.r_Delta, SIZE
            ),
            "Cbeta": commit(self.beta, self.r_beta, SIZE),
        }
        if self.cheat == "a":
            self.shown["Cdelta"] = multiply_generator(self.r_delta)
            self.shown["CDelta"] = multiply_generator(self.r_Delta)
        self.E0 = summed(self.encrypted(self.rho0), weighted(self.beta, self.after))
        if self.late == "deck'":
            # The deck itself comes last, so E0 can't depend on it: any points will do.
            self.E0 = self.before[2]

    def answer(self, x: int) -> None:
        """The honest answers, but for those that the cheat makes up."""
        indices = range(SIZE)
        self.a = [(x * self.factors[i] + self.d[i]) % ORDER for i in indices]
        self.b = [(x * self.products[i] + self.delta[i]) % ORDER for i in indices]
        self.b[-1] = x * self.target % ORDER
        self.m = [(x * self.v[i] + self.beta[i]) % ORDER for i in indices]
        if self.cheat == "a":
            # With CΔ and Cδ hiding zeros, b' follows from a', and the last a' makes the product come out.
            for i in range(1, SIZE - 1):
                self.b[i] = self.b[i - 1] * self.a[i] * inverse(x) % ORDER
            self.a[-1] = x * self.b[-1] * inverse(self.b[-2]) % ORDER
            self.b[0] = self.a[0]
        if self.cheat == "b":
            self.b[1:-1] = self.scalars()[2:]
        self.openings = {
            "r_a": (x * (self.y * self.r_A + self.r_B) + self.r_d) % ORDER,
            "r_b": (x * self.r_Delta + self.r_delta) % ORDER,
            "r_m": (x * self.r_B + self.r_beta) % ORDER,
            "rho": (x * self.rho(self.powers, self.v) + self.rho0) % ORDER,
        }

    def repair(self, x: int) -> None:
        """Choose the late item so that its equation comes out."""
        shown, openings = self.shown, self.openings
        chain = [x * self.b[i + 1] - self.b[i] * self.a[i + 1] for i in range(SIZE - 1)]
        if self.late == "Cd":
            left = combine_public((x * self.y, x), (shown["A"], shown["B"]))
            left -= commit([x * self.z] * SIZE, 0, SIZE)
            shown["Cd"] = commit(self.a, openings["r_a"], SIZE) - left
        elif self.late == "Cdelta":
            shown["Cdelta"] = commit(chain, openings["r_b"], SIZE) - multiply_public(x, shown["CDelta"])
        elif self.late == "CDelta":
            rest = commit(chain, openings["r_b"], SIZE) - shown["Cdelta"]
            shown["CDelta"] = multiply_public(inverse(x), rest)
        elif self.late == "Cbeta":
            shown["Cbeta"] = commit(self.m, openings["r_m"], SIZE) - multiply_public(x, shown["B"])
        elif self.late in ("E0", "deck", "deck'", "Y"):
            self.E0 = self.repair_relation(x, self.powers, self.m, openings["rho"], self.E0)
        elif self.late == "equal weights":
            # The second parts are off by a known multiple of G; the factors are put off by its opposite.
            openings["r_a"] = (openings["r_a"] - x * self.powers[0]) % ORDER

    def repair_relation(self, x: int, powers: list[int], m: list[int], rho: int, masked: Pair) -> Pair:
        """Make x·Σ X^i·e_i + E0 = Enc(0; ρ') + Σ m'_i·e'_i true by changing the late item in it."""
        xs = [x * power % ORDER for power in powers]
        if self.late == "E0":
            return summed(self.encrypted(rho), weighted(m, self.after), minus(weighted(xs, self.before)))
        if self.late == "deck":
            rest = summed(self.encrypted(rho), weighted(m, self.after), minus(masked))
            rest = summed(rest, minus(weighted(xs[1:], self.before[1:])))
            self.before[0] = scaled(inverse(xs[0]), rest)
        elif self.late == "deck'":
            rest = summed(weighted(xs, self.before), masked, minus(self.encrypted(rho)))
            rest = summed(rest, minus(weighted(m[1:], self.after[1:])))
            self.after[0] = scaled(inverse(m[0]), rest)
        else:
            rest = summed(weighted(xs, self.before), masked, minus(weighted(m, self.after)))
            self.joint_key = multiply_public(inverse(rho), rest[1])
        return masked
