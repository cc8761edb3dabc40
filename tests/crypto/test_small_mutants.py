"""Key proofs, shares and commitments: each equation and each hashed item is needed, shown by attack.

As in `test_shuffle_mutants.py`: a row leaves one thing out of a copy of the source; its attack must work
against the copy and must be refused by the real one. An attack gets the modules and tries to make the
verifier accept.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

import pytest

from p2prummi.crypto.entropy import SeededEntropy, random_scalar
from p2prummi.crypto.group import (
    GENERATOR,
    ORDER,
    Point,
    combine_public,
    hash_to_group,
    multiply_generator,
    multiply_public,
    scalar_to_bytes,
)
from p2prummi.crypto.labels import Label
from p2prummi.crypto.refusal import RefusalError
from tests.crypto.mutants import Mutation, load, real_modules, source_of

Modules = dict[str, ModuleType]
CONTEXT = b"context"

# A point whose discrete logarithm the attacker doesn't know: as good as another's key.
FOREIGN = hash_to_group(Label.TILE, 7)


@dataclass(frozen=True, slots=True)
class Row:
    mutation: Mutation
    attack: Callable[[Modules], None]

    def __str__(self) -> str:
        return str(self.mutation)


def inverse(scalar: int) -> int:
    return pow(scalar, -1, ORDER)


def without(module: str, what: str, line: str, new: str = "") -> Mutation:
    return Mutation(name=f"{what} is left out", module=module, old=line, new=new)


def entropy() -> SeededEntropy:
    return SeededEntropy(b"attack")


# Key proofs.


def claim_a_foreign_key(modules: Modules) -> None:
    """Any K and s will do."""
    modules["key_proof"].verify_key(CONTEXT, 0, FOREIGN.to_bytes(), GENERATOR.to_bytes() + scalar_to_bytes(5))


def replay_key_proof(context: bytes, seat: int) -> Callable[[Modules], None]:
    """A good proof of the attacker's victim, shown in another context or by another seat."""

    def attack(modules: Modules) -> None:
        x = random_scalar(entropy())
        proof = modules["key_proof"].prove_key(CONTEXT, 0, x, entropy())
        modules["key_proof"].verify_key(context, seat, multiply_generator(x).to_bytes(), proof)

    return attack


def choose_key_after_challenge(modules: Modules) -> None:
    """K and s first; then the key, from the equation: its secret is unknown to the prover."""
    s = 12345
    c = modules["key_proof"]._challenge(CONTEXT, 0, GENERATOR.to_bytes(), FOREIGN.to_bytes())
    key = multiply_public(inverse(c), multiply_generator(s) - FOREIGN)
    modules["key_proof"].verify_key(CONTEXT, 0, key.to_bytes(), FOREIGN.to_bytes() + scalar_to_bytes(s))


def choose_nonce_point_after_challenge(modules: Modules) -> None:
    """The challenge and s first; then K, from the equation."""
    s = 12345
    c = modules["key_proof"]._challenge(CONTEXT, 0, FOREIGN.to_bytes(), GENERATOR.to_bytes())
    nonce_point = combine_public((-c,), (FOREIGN,), generator=s)
    modules["key_proof"].verify_key(
        CONTEXT, 0, FOREIGN.to_bytes(), nonce_point.to_bytes() + scalar_to_bytes(s)
    )


# Shares. The claim is always false: some share is not the key's.


class ShareAttack:
    """A key, two points of a deck and the honest shares, to be falsified."""

    def __init__(self, modules: Modules) -> None:
        self.dleq = modules["dleq"]
        self.x = random_scalar(entropy())
        self.key = multiply_generator(self.x)
        self.points = [hash_to_group(Label.TILE, index) for index in (0, 1)]
        self.shares = [multiply_public(self.x, point) for point in self.points]

    def verify(self, proof: bytes, indices: tuple[int, ...] = (3, 4), context: bytes = CONTEXT) -> None:
        self.dleq.verify_shares(context, self.key, indices, self.points, self.shares, proof)

    def prove(self) -> bytes:
        made: bytes = self.dleq.prove_shares(
            CONTEXT, self.x, self.key, (3, 4), self.points, self.shares, entropy()
        )
        return made

    def challenges(self, first: Point | None = None, second: Point | None = None) -> tuple[list[int], int]:
        """The weights and c, for the points K and L given (or any)."""
        running = self.dleq._statement(CONTEXT, self.key, (3, 4), self.points, self.shares)
        weights = self.dleq._weights(running, 2)
        any_point = GENERATOR.to_bytes()
        c = self.dleq._challenge(
            running,
            any_point if first is None else first.to_bytes(),
            any_point if second is None else second.to_bytes(),
        )
        return weights, c


def shares_of_another_key(modules: Modules) -> None:
    """Shares by another secret, proved with that secret: only the equation of the key is wrong."""
    attack = ShareAttack(modules)
    attack.shares = [multiply_public(attack.x + 1, point) for point in attack.points]
    attack.x += 1
    attack.verify(attack.prove())


def arbitrary_shares(modules: Modules) -> None:
    """A foreign share, with an honest proof that the key is known.

    Only the equation of the shares is wrong.
    """
    attack = ShareAttack(modules)
    attack.shares[0] = FOREIGN
    attack.verify(attack.prove())


def replay_shares(indices: tuple[int, ...], context: bytes) -> Callable[[Modules], None]:
    """A good proof, shown for other indices that hold the same points, or in another context."""

    def attack(modules: Modules) -> None:
        good = ShareAttack(modules)
        good.verify(good.prove(), indices, context)

    return attack


def choose_share_key_after_challenge(modules: Modules) -> None:
    """The shares are those of a secret x, but the key is another: it follows from the challenge."""
    attack = ShareAttack(modules)
    k, offset = 111, 222
    first = multiply_generator(k + offset)
    weights, _ = attack.challenges()
    second = multiply_public(k, combine_public(weights, attack.points))
    _, c = attack.challenges(first, second)
    s = (k + c * attack.x) % ORDER
    attack.key = multiply_generator((s - k - offset) * inverse(c))
    attack.verify(first.to_bytes() + second.to_bytes() + scalar_to_bytes(s))


def choose_point_after_challenge(modules: Modules) -> None:
    """The first point of the deck is chosen last, so that a foreign share fits."""
    attack = ShareAttack(modules)
    attack.shares[0] = FOREIGN
    k = 111
    first, second = multiply_generator(k), hash_to_group(Label.TILE, 9)
    weights, c = attack.challenges(first, second)
    s = (k + c * attack.x) % ORDER
    right = second + multiply_public(c, combine_public(weights, attack.shares))
    rest = right - multiply_public(s * weights[1], attack.points[1])
    attack.points[0] = multiply_public(inverse(s * weights[0]), rest)
    attack.verify(first.to_bytes() + second.to_bytes() + scalar_to_bytes(s))


def cancel_errors(modules: Modules) -> None:
    """Two shares are wrong by errors that the foreseen weights make cancel."""
    attack = ShareAttack(modules)
    weights, _ = attack.challenges()
    attack.shares[0] += multiply_generator(weights[1])
    attack.shares[1] -= multiply_generator(weights[0])
    attack.verify(attack.prove())


def swap_shares(modules: Modules) -> None:
    """Two shares are swapped: with equal weights their sum is the same."""
    attack = ShareAttack(modules)
    attack.shares.reverse()
    attack.verify(attack.prove())


def choose_key_point_after_challenge(modules: Modules) -> None:
    """K follows from the challenge, so that the shares need not be this key's."""
    attack = ShareAttack(modules)
    other = attack.x + 1
    attack.shares = [multiply_public(other, point) for point in attack.points]
    weights, _ = attack.challenges()
    k = 111
    second = multiply_public(k, combine_public(weights, attack.points))
    _, c = attack.challenges(None, second)
    s = (k + c * other) % ORDER
    first = combine_public((-c,), (attack.key,), generator=s)
    attack.verify(first.to_bytes() + second.to_bytes() + scalar_to_bytes(s))


def choose_share_point_after_challenge(modules: Modules) -> None:
    """L follows from the challenge, so that any share fits."""
    attack = ShareAttack(modules)
    attack.shares[0] = FOREIGN
    k = 111
    first = multiply_generator(k)
    weights, c = attack.challenges(first)
    s = (k + c * attack.x) % ORDER
    base, share = (combine_public(weights, points) for points in (attack.points, attack.shares))
    second = combine_public((s, -c), (base, share))
    attack.verify(first.to_bytes() + second.to_bytes() + scalar_to_bytes(s))


# What a commitment hides: revealing something else than was committed to.


def reveal_otherwise(changed: str) -> Callable[[Modules], None]:
    def attack(modules: Modules) -> None:
        revealed: dict[str, object] = {
            "context": CONTEXT,
            "seat": 0,
            "public": GENERATOR.to_bytes(),
            "proof": bytes(65),
            "coin": bytes(32),
        }
        commitment = modules["round_key"].key_commitment(**revealed)
        other = {
            "context": b"another",
            "seat": 1,
            "public": FOREIGN.to_bytes(),
            "proof": b"\1" * 65,
            "coin": b"\1" * 32,
        }
        revealed[changed] = other[changed]
        modules["round_key"].verify_key_commitment(commitment=commitment, **revealed)

    return attack


def predict_coin(context: bytes, coins: list[bytes]) -> Callable[[Modules], None]:
    """Something that should change the joint coin doesn't."""

    def attack(modules: Modules) -> None:
        joint_coin = modules["round_key"].joint_coin
        if joint_coin(CONTEXT, [bytes(32), b"\1" * 32]) != joint_coin(context, coins):
            raise AssertionError("the coin has changed")

    return attack


HASHED_COMMITMENT = "digest(Label.KEY_COMMITMENT, context, uint32(seat), public, proof, coin)"
HASHED_COIN = (
    'digest(Label.JOINT_COIN, context, *(require_bytes(coin, COIN_BYTES, "coin") for coin in coins))'
)

ROWS = (
    Row(
        without(
            "key_proof",
            "equation knowledge",
            "if not combine_public((-1, -c), (K, Y), generator=s).is_neutral:",
            "if not (Y, K, s, c):",
        ),
        claim_a_foreign_key,
    ),
    Row(
        without("key_proof", "context", '    challenge.absorb("context", context)\n'),
        replay_key_proof(b"another", 0),
    ),
    Row(
        without("key_proof", "seat", '    challenge.absorb("seat", uint32(seat))\n'),
        replay_key_proof(CONTEXT, 1),
    ),
    Row(without("key_proof", "Y", '    challenge.absorb("Y", public)\n'), choose_key_after_challenge),
    Row(without("key_proof", "K", '    challenge.absorb("K", K)\n'), choose_nonce_point_after_challenge),
    Row(
        without(
            "dleq",
            "equation key",
            "if not combine_public((-1, -c), (K, Y), generator=s).is_neutral:",
            "if not (K, Y, s, c):",
        ),
        shares_of_another_key,
    ),
    Row(
        without(
            "dleq",
            "equation shares",
            "if not combine_public((s, -1, -c), (base, L, share)).is_neutral:",
            "if not (base, L, share):",
        ),
        arbitrary_shares,
    ),
    Row(
        without("dleq", "context", '    challenge.absorb("context", context)\n'),
        replay_shares((3, 4), b"another"),
    ),
    Row(
        without("dleq", "Y", '    challenge.absorb("Y", Y.to_bytes())\n'),
        choose_share_key_after_challenge,
    ),
    Row(
        without("dleq", "indices", '    challenge.absorb("indices", b"".join(map(uint32, indices)))\n'),
        replay_shares((4, 3), CONTEXT),
    ),
    Row(
        without(
            "dleq",
            "points",
            '    challenge.absorb("points", b"".join([point.to_bytes() for point in points]))\n',
        ),
        choose_point_after_challenge,
    ),
    Row(
        without(
            "dleq",
            "shares",
            '    challenge.absorb("shares", b"".join([share.to_bytes() for share in shares]))\n',
        ),
        cancel_errors,
    ),
    Row(without("dleq", "K", '    challenge.absorb("K", K)\n'), choose_key_point_after_challenge),
    Row(without("dleq", "L", '    challenge.absorb("L", L)\n'), choose_share_point_after_challenge),
    Row(
        without("dleq", "w in the weights", "Label.SHARE_WEIGHT, seed, ", "Label.SHARE_WEIGHT, "),
        cancel_errors,
    ),
    Row(
        without(
            "dleq", "the position in the weights", "seed, uint32(position)", "seed, uint32(0 * position)"
        ),
        swap_shares,
    ),
    *(
        Row(without("round_key", f"{item} in the commitment", HASHED_COMMITMENT, new), reveal_otherwise(item))
        for item, new in (
            ("context", "digest(Label.KEY_COMMITMENT, uint32(seat), public, proof, coin)"),
            ("seat", "digest(Label.KEY_COMMITMENT, context, public, proof, coin)"),
            ("public", "digest(Label.KEY_COMMITMENT, context, uint32(seat), proof, coin)"),
            ("proof", "digest(Label.KEY_COMMITMENT, context, uint32(seat), public, coin)"),
            ("coin", "digest(Label.KEY_COMMITMENT, context, uint32(seat), public, proof)"),
        )
    ),
    Row(
        without("round_key", "context in the joint coin", HASHED_COIN, HASHED_COIN.replace("context, ", "")),
        predict_coin(b"another", [bytes(32), b"\1" * 32]),
    ),
    Row(
        without(
            "round_key", "coins in the joint coin", HASHED_COIN, "digest(Label.JOINT_COIN, context, coins[0])"
        ),
        predict_coin(CONTEXT, [bytes(32), b"\2" * 32]),
    ),
)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_attack_works_without_it_and_not_with_it(row: Row) -> None:
    row.attack(load(row.mutation))
    with pytest.raises((RefusalError, AssertionError)):
        row.attack(real_modules(row.mutation.module))


@pytest.mark.parametrize("module", ["key_proof", "dleq"])
def test_table_names_every_absorbed_item(module: str) -> None:
    """A new item without its attack is noticed here."""
    mutated = [row.mutation.old for row in ROWS if row.mutation.module == module]
    items = re.findall(r'^ *challenge\.absorb\("[^"]+".*\n', source_of(module), re.MULTILINE)
    assert len(items) == {"key_proof": 4, "dleq": 7}[module]
    assert set(items) <= set(mutated)
