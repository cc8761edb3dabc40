"""Shuffling a deck and proving it: what is prepared before there is a deck, the shuffle itself, the proof.

Rules: permutation and re-encryption randomness (`ShuffleOpening`) are used for one deck; the masks of a proof
for one proof, since the same masks under two challenges give the permutation away. So the opening may be
written to a journal (to prove the same shuffle again after a crash), the masks never: they are taken out at
first use and made anew after. Every multiplication by a secret goes through the group's constant-time
functions. Letters as in `protocol/spec/crypto.md`, "Shuffle argument"; judging a proof is in
`shuffle_verifier.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from p2prummi.crypto.commitment import commit
from p2prummi.crypto.elgamal import Deck
from p2prummi.crypto.entropy import Entropy, random_permutation, random_scalars
from p2prummi.crypto.group import (
    ORDER,
    SCALAR_BYTES,
    Point,
    add_pairs,
    combine_secret,
    multiply_each_secret,
    multiply_generator,
    scalar_to_bytes,
)
from p2prummi.crypto.labels import uint32
from p2prummi.crypto.round_key import JointKey
from p2prummi.crypto.shuffle_statement import ShuffleChallenges, ShuffleProof, powers_of
from p2prummi.errors import LocalProtocolError

_INDEX_BYTES = 4


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class _Masks:
    """What hides the secrets of one proof, with the commitments that need neither deck nor key."""

    r_permutation: int
    A: Point
    d: list[int]
    r_d: int
    C_d: Point
    delta: list[int]
    r_delta: int
    C_delta: Point
    beta: list[int]
    r_beta: int
    C_beta: Point
    rho: int


class ShuffleOpening:
    """The secret of one shuffle: output i is input `order[i]`, re-encrypted with `randomness[i]`; from 0.

    Hidden in `repr`.
    """

    __slots__ = ("_masks", "order", "randomness")

    def __init__(self, order: Sequence[int], randomness: Sequence[int], masks: _Masks | None = None) -> None:
        if sorted(order) != list(range(len(order))) or len(order) != len(randomness) or len(order) < 2:
            raise LocalProtocolError("a shuffle needs a permutation and as many scalars, two at least")
        self.order = tuple(order)
        self.randomness = tuple(randomness)
        self._masks = [masks] if masks is not None else []

    @property
    def size(self) -> int:
        """How many ciphertexts it shuffles."""
        return len(self.order)

    def to_bytes(self) -> bytes:
        """For the journal alone (secret!): each index in four bytes, then each scalar in 32.

        Masks are left out.
        """
        return b"".join([*map(uint32, self.order), *map(scalar_to_bytes, self.randomness)])

    @staticmethod
    def from_bytes(data: bytes) -> ShuffleOpening:
        """What `to_bytes` wrote; raises `LocalProtocolError` for bytes of any other length or order."""
        head = len(data) // (_INDEX_BYTES + SCALAR_BYTES) * _INDEX_BYTES
        order = [int.from_bytes(data[at : at + _INDEX_BYTES], "big") for at in range(0, head, _INDEX_BYTES)]
        scalars = [
            int.from_bytes(data[at : at + SCALAR_BYTES], "big") for at in range(head, len(data), SCALAR_BYTES)
        ]
        return ShuffleOpening(order, scalars)

    def take_masks(self, entropy: Entropy) -> _Masks:
        """The prepared masks the first time, fresh ones each further time."""
        try:
            return self._masks.pop()
        except IndexError:
            return _make_masks(self.order, entropy)

    def __repr__(self) -> str:
        return f"<ShuffleOpening of {self.size}>"


@dataclass(frozen=True, slots=True, repr=False)
class _Material:
    opening: ShuffleOpening
    firsts: Sequence[Point]
    seconds: Sequence[Point]


class PreparedShuffle:
    """A shuffle made ready before there is a deck: good for one use. Hides everything in `repr`."""

    __slots__ = ("_material", "has_key", "size")

    def __init__(self, size: int, material: _Material) -> None:
        self.size = size
        self.has_key = bool(material.seconds)
        # A list that is emptied by its first user: taking from it is one step, also between threads.
        self._material = [material]

    def with_key(self, joint: JointKey) -> PreparedShuffle:
        """The same shuffle with the half that needs the joint key made ready too; this object is used up."""
        material = self.take()
        seconds = multiply_each_secret(material.opening.randomness, (joint.point,) * self.size)
        return PreparedShuffle(self.size, _Material(material.opening, material.firsts, seconds))

    def take(self) -> _Material:
        """What was prepared; raises `LocalProtocolError` the second time."""
        try:
            return self._material.pop()
        except IndexError:
            raise LocalProtocolError("a prepared shuffle is used once") from None

    def __repr__(self) -> str:
        return f"<PreparedShuffle of {self.size}{'' if self._material else ', used'}>"


def prepare_shuffle(size: int, entropy: Entropy) -> PreparedShuffle:
    """A shuffle of `size` tiles with everything made that needs neither deck nor key.

    That is: the permutation π, the randomness r, r·G, the masks and their commitments.
    """
    order = random_permutation(entropy, size)
    opening = ShuffleOpening(order, random_scalars(entropy, size), _make_masks(order, entropy))
    return PreparedShuffle(
        size, _Material(opening, [multiply_generator(scalar) for scalar in opening.randomness], ())
    )


def apply_shuffle(prepared: PreparedShuffle, deck: Deck) -> tuple[Deck, ShuffleOpening]:
    """The shuffled deck and its secret; `prepared` is used up.

    Raises `LocalProtocolError` if the sizes differ or the joint key has not been prepared.
    """
    if prepared.size != deck.size:
        raise LocalProtocolError(f"a shuffle of {prepared.size} was prepared, the deck holds {deck.size}")
    if not prepared.has_key:
        raise LocalProtocolError("prepare the shuffle with the joint key first")
    material = prepared.take()
    order = material.opening.order
    firsts = add_pairs([deck.firsts[source] for source in order], material.firsts)
    seconds = add_pairs([deck.seconds[source] for source in order], material.seconds)
    return Deck(firsts, seconds), material.opening


def prove_shuffle(
    context: bytes,
    seat: int,
    joint_key: Point,
    before: Deck,
    after: Deck,
    opening: ShuffleOpening,
    entropy: Entropy,
) -> bytes:
    """The proof that `after` is the shuffle of `before` with this opening.

    Each call makes a different proof.
    """
    size, order = opening.size, opening.order
    if not size == before.size == after.size:
        raise LocalProtocolError(
            f"a shuffle of {size} does not lead from {before.size} tiles to {after.size}"
        )
    masks = opening.take_masks(entropy)
    r_B, r_Delta = random_scalars(entropy, 2)
    challenges = ShuffleChallenges(context, seat, joint_key, before, after)

    X = challenges.permutation(masks.A)
    powers = powers_of(X, size)
    permuted = [powers[source] for source in order]
    B = commit(permuted, r_B, size)

    y, z = challenges.powers(B)
    a = [(y * (source + 1) + power - z) % ORDER for source, power in zip(order, permuted, strict=True)]
    b = _partial_products(a)
    d, delta = masks.d, masks.delta
    C_Delta = commit(
        [(delta[i + 1] - a[i + 1] * delta[i] - b[i] * d[i + 1]) % ORDER for i in range(size - 1)],
        r_Delta,
        size,
    )
    E_first = combine_secret(masks.beta, after.firsts, generator=masks.rho)
    E_second = combine_secret((*masks.beta, masks.rho), (*after.seconds, joint_key))

    x = challenges.answers(masks.C_d, masks.C_delta, C_Delta, masks.C_beta, E_first, E_second)
    rho = -sum(r * power for r, power in zip(opening.randomness, permuted, strict=True))
    return ShuffleProof(
        A=masks.A, B=B, C_d=masks.C_d, C_delta=masks.C_delta, C_Delta=C_Delta, C_beta=masks.C_beta,
        E_first=E_first, E_second=E_second,
        a=tuple(_answers(x, a, d)),
        b=tuple(_answers(x, b, delta)[1:-1]),
        m=tuple(_answers(x, permuted, masks.beta)),
        r_a=(x * (y * masks.r_permutation + r_B) + masks.r_d) % ORDER,
        r_b=(x * r_Delta + masks.r_delta) % ORDER,
        r_m=(x * r_B + masks.r_beta) % ORDER,
        rho=(x * rho + masks.rho) % ORDER,
    ).to_bytes()  # fmt: skip


def _make_masks(order: Sequence[int], entropy: Entropy) -> _Masks:
    size = len(order)
    r_permutation, r_d, r_delta, r_beta, rho = random_scalars(entropy, 5)
    d = random_scalars(entropy, size)
    delta = [d[0], *random_scalars(entropy, size - 2), 0]
    beta = random_scalars(entropy, size)
    return _Masks(
        r_permutation=r_permutation,
        A=commit([source + 1 for source in order], r_permutation, size),
        d=d,
        r_d=r_d,
        C_d=commit(d, r_d, size),
        delta=delta,
        r_delta=r_delta,
        C_delta=commit([-delta[i] * d[i + 1] for i in range(size - 1)], r_delta, size),
        beta=beta,
        r_beta=r_beta,
        C_beta=commit(beta, r_beta, size),
        rho=rho,
    )


def _partial_products(factors: Sequence[int]) -> list[int]:
    products = [factors[0]]
    for factor in factors[1:]:
        products.append(products[-1] * factor % ORDER)
    return products


def _answers(x: int, secrets: Sequence[int], masks: Sequence[int]) -> list[int]:
    return [(x * secret + mask) % ORDER for secret, mask in zip(secrets, masks, strict=True)]
