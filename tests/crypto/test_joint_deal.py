"""Whole rounds: 2 to 6 seats shuffle 106 and 160 tiles, deal, and open everything at the end."""

from __future__ import annotations

from collections import Counter

import pytest

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.errors import FaultCode
from tests.crypto.rounds import CONTEXT, play_round, refused


@pytest.mark.parametrize(
    ("players", "size"), [(2, 106), (3, 106), (4, 106), (5, 106), (6, 106), (2, 160), (6, 160)]
)
def test_full_round(players: int, size: int) -> None:
    round_ = play_round(players, size)
    crypto.verify_shuffles(round_.joint, round_.statements, round_.entropy)
    final = crypto.Deck.from_bytes(round_.decks[-1].to_bytes(), size)

    # Deal: each seat shows the shares of what the others get, in one proof; its own it keeps to itself.
    hand = 14
    owner = [index // hand for index in range(players * hand)]
    parsed = {}
    for seat, key in enumerate(round_.keys):
        indices = [index for index, who in enumerate(owner) if who != seat]
        shares = crypto.make_shares(CONTEXT, key, final, indices, round_.entropy)
        checked = crypto.verify_shares(CONTEXT, key.public, final, indices, shares)
        parsed[seat] = dict(zip(indices, checked, strict=True))
    racks = []
    for seat, key in enumerate(round_.keys):
        mine = [index for index, who in enumerate(owner) if who == seat]
        own = crypto.own_shares(key, final, mine)
        others = [[parsed[other][index] for other in parsed if other != seat] for index in mine]
        racks.append(
            [
                crypto.open_tile(final, index, [share, *rest])
                for index, share, rest in zip(mine, own, others, strict=True)
            ]
        )
        # Without one's own share nobody could have read it.
        with refused(FaultCode.NO_SUCH_TILE):
            crypto.open_tile(final, mine[0], others[0])

    # Settling opens everything, and agrees with what each seat saw.
    tiles = crypto.open_tiles(final, range(size), round_.secrets)
    assert Counter(tiles) == Counter(range(size))
    for seat, rack in enumerate(racks):
        assert rack == [tiles[index] for index, who in enumerate(owner) if who == seat]
    assert tiles != tuple(range(size))


def test_order_of_the_deck_is_unbiased() -> None:
    """Two seats, three tiles, one of the seats always with a poor permutation: every order is as likely."""
    entropy = SeededEntropy(b"bias")
    keys = [crypto.make_round_key(entropy) for _ in range(2)]
    joint = crypto.joint_key([key.public for key in keys])
    first = crypto.initial_deck(3, joint)
    rounds = 600
    counted: Counter[tuple[int, ...]] = Counter()
    for _ in range(rounds):
        prepared = crypto.prepare_shuffle(3, entropy).with_key(joint)
        shuffled, _ = crypto.apply_shuffle(prepared, first)
        poor = crypto.Deck(
            (*shuffled.firsts[1:], shuffled.firsts[0]), (*shuffled.seconds[1:], shuffled.seconds[0])
        )
        counted[crypto.open_tiles(poor, range(3), [key.secret_bytes() for key in keys])] += 1
    # Chi-squared with 5 degrees of freedom; the seed is fixed.
    assert len(counted) == 6
    assert sum((count - rounds / 6) ** 2 / (rounds / 6) for count in counted.values()) < 20
