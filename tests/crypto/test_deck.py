"""Decks, shares and opening: round trips, refusals, and everything in its one right place."""

from __future__ import annotations

import pytest

from p2prummi.crypto import deck as crypto
from p2prummi.crypto.elgamal import first_deck, tile_points
from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.group import GENERATOR, NEUTRAL, ORDER, multiply_public
from p2prummi.errors import FaultCode, LocalProtocolError
from tests.crypto.rounds import CONTEXT, Round, play_round, refused

SIZE = 5


@pytest.fixture(scope="module")
def round_() -> Round:
    return play_round(2, SIZE)


def test_first_deck_shows_every_tile_at_its_number(round_: Round) -> None:
    deck = round_.decks[0]
    assert crypto.open_tiles(deck, range(SIZE), round_.secrets) == tuple(range(SIZE))
    assert set(deck.firsts) == {GENERATOR}


def test_tile_points_do_not_depend_on_the_size() -> None:
    assert tile_points(160)[:106] == tile_points(106)
    assert len(set(tile_points(160))) == 160


def test_joint_key_that_would_make_a_neutral_ciphertext_is_refused() -> None:
    with refused(FaultCode.NEUTRAL_ELEMENT, "neutral"):
        first_deck(SIZE, -tile_points(SIZE)[2])


def test_deck_round_trips(round_: Round) -> None:
    deck = round_.decks[-1]
    encoded = deck.to_bytes()
    assert len(encoded) == SIZE * 66
    again = crypto.Deck.from_bytes(encoded, SIZE)
    assert again == deck
    assert hash(again) == hash(deck)
    assert again != round_.decks[0]
    assert again != "a deck"
    assert eval(repr(again), {"Deck": crypto.Deck}) == deck  # noqa: S307 - our own repr.


@pytest.mark.parametrize("data", [b"", bytes(66 * SIZE - 1), bytes(66 * SIZE + 66), None, "x" * 330, 7])
def test_deck_of_another_length_or_type_is_refused(data: object) -> None:
    with refused(FaultCode.WRONG_SCHEMA):
        crypto.Deck.from_bytes(data, SIZE)


@pytest.mark.parametrize("part", range(2 * SIZE))
def test_every_part_of_a_deck_is_checked(round_: Round, part: int) -> None:
    encoded = round_.decks[-1].to_bytes()
    for bad, code in ((bytes(33), FaultCode.NEUTRAL_ELEMENT), (b"\x09" * 33, FaultCode.INVALID_POINT)):
        with refused(code):
            crypto.Deck.from_bytes(encoded[: part * 33] + bad + encoded[part * 33 + 33 :], SIZE)


def test_deck_needs_equal_parts_and_two_tiles() -> None:
    for firsts, seconds in (([GENERATOR], [GENERATOR]), ([GENERATOR] * 3, [GENERATOR] * 2)):
        with pytest.raises(LocalProtocolError):
            crypto.Deck(firsts, seconds)
    with refused(FaultCode.NEUTRAL_ELEMENT):
        crypto.Deck([GENERATOR, NEUTRAL], [GENERATOR, GENERATOR])


def test_shares_of_all_seats_open_a_tile_and_fewer_do_not(round_: Round) -> None:
    deck, indices = round_.decks[-1], (3, 0, 4)
    shared = [crypto.make_shares(CONTEXT, key, deck, indices, round_.entropy) for key in round_.keys]
    parsed = [
        crypto.verify_shares(CONTEXT, key.public, deck, indices, shares)
        for key, shares in zip(round_.keys, shared, strict=True)
    ]
    tiles = crypto.open_tiles(deck, indices, round_.secrets)
    assert len(set(tiles)) == 3
    for place, index in enumerate(indices):
        assert crypto.open_tile(deck, index, [shares[place] for shares in parsed]) == tiles[place]
        assert crypto.open_tile(deck, index, [shares[place].to_bytes() for shares in parsed]) == tiles[place]
        assert crypto.share_of(round_.secrets[0], deck, index) == parsed[0][place]
        with refused(FaultCode.NO_SUCH_TILE, "tile"):
            crypto.open_tile(deck, index, [parsed[0][place]])
    with refused(FaultCode.NO_SUCH_TILE, "tile"):
        crypto.open_tile(deck, 0, [parsed[0][0], parsed[1][0]])
    assert crypto.own_shares(round_.keys[0], deck, indices) == list(parsed[0])


def test_share_bytes_are_checked_when_opening(round_: Round) -> None:
    with refused(FaultCode.NEUTRAL_ELEMENT):
        crypto.open_tile(round_.decks[-1], 0, [bytes(33)])
    with refused(FaultCode.WRONG_SCHEMA):
        crypto.open_tile(round_.decks[-1], 0, [b""])


@pytest.mark.parametrize("index", [-1, SIZE])
def test_index_outside_the_deck_is_misuse(round_: Round, index: int) -> None:
    deck = round_.decks[-1]
    for use in (
        lambda: crypto.open_tile(deck, index, []),
        lambda: crypto.open_tiles(deck, [index], round_.secrets),
        lambda: crypto.share_of(round_.secrets[0], deck, index),
        lambda: crypto.own_shares(round_.keys[0], deck, [index]),
    ):
        with pytest.raises(LocalProtocolError):
            use()


@pytest.mark.parametrize("secret", [bytes(32), ORDER.to_bytes(32, "big")])
def test_published_secret_must_be_one(round_: Round, secret: bytes) -> None:
    with refused(FaultCode.INVALID_SCALAR):
        crypto.open_tiles(round_.decks[-1], [0], [round_.secrets[0], secret])
    with refused(FaultCode.INVALID_SCALAR):
        crypto.share_of(secret, round_.decks[-1], 0)


def test_shares_are_bound_to_context_key_deck_and_indices(round_: Round) -> None:
    deck, key = round_.decks[-1], round_.keys[0]
    shares = crypto.make_shares(CONTEXT, key, deck, (1, 2), round_.entropy)
    for context, public, other_deck, indices in (
        (b"another", key.public, deck, (1, 2)),
        (CONTEXT, round_.keys[1].public, deck, (1, 2)),
        (CONTEXT, key.public, round_.decks[1], (1, 2)),
        (CONTEXT, key.public, deck, (2, 1)),
        (CONTEXT, key.public, deck, (1, 3)),
    ):
        with refused(FaultCode.SHARE_PROOF_FAILED):
            crypto.verify_shares(context, public, other_deck, indices, shares)


def test_share_of_another_index_of_an_equal_ciphertext_is_refused(round_: Round) -> None:
    """In the first deck all first parts are equal, and so are the shares.

    The index alone tells them apart.
    """
    deck, key = round_.decks[0], round_.keys[0]
    shares = crypto.make_shares(CONTEXT, key, deck, (1,), round_.entropy)
    with refused(FaultCode.SHARE_PROOF_FAILED):
        crypto.verify_shares(CONTEXT, key.public, deck, (2,), shares)


def test_wrong_shares_name_their_condition(round_: Round) -> None:
    deck, key = round_.decks[-1], round_.keys[0]
    shares = crypto.make_shares(CONTEXT, key, deck, (1, 2), round_.entropy)
    swapped = crypto.Shares(shares.points[33:] + shares.points[:33], shares.proof)
    with refused(FaultCode.SHARE_PROOF_FAILED):
        crypto.verify_shares(CONTEXT, key.public, deck, (1, 2), swapped)
    for missing in (shares.points[:33], shares.points + shares.points[:33], b""):
        with refused(FaultCode.WRONG_SCHEMA, "length"):
            crypto.verify_shares(CONTEXT, key.public, deck, (1, 2), crypto.Shares(missing, shares.proof))


BAD_INDICES: list[tuple[object, ...]] = [(), (0, 0), (-1,), (SIZE,), ("1",), (True,), (1.0,), (None,)]


@pytest.mark.parametrize("indices", BAD_INDICES, ids=repr)
def test_indices_that_do_not_do_are_refused(round_: Round, indices: tuple[int, ...]) -> None:
    deck, key = round_.decks[-1], round_.keys[0]
    with pytest.raises(LocalProtocolError):
        crypto.make_shares(CONTEXT, key, deck, indices, round_.entropy)
    with refused(FaultCode.WRONG_INDEX, "indices"):
        crypto.verify_shares(CONTEXT, key.public, deck, indices, crypto.Shares(b"", b""))


def test_proof_of_shares_is_fresh_each_time(round_: Round) -> None:
    """The same nonce under two challenges would give the key away."""
    deck, key = round_.decks[-1], round_.keys[0]
    made = {crypto.make_shares(CONTEXT, key, deck, (1,), round_.entropy).proof[:66] for _ in range(3)}
    assert len(made) == 3


def test_open_tiles_of_a_foreign_ciphertext() -> None:
    key = crypto.make_round_key(SeededEntropy(b"foreign"))
    deck = crypto.Deck(
        [GENERATOR] * 2, [key.point + tile_points(2)[0], key.point + multiply_public(3, tile_points(2)[1])]
    )
    assert crypto.open_tiles(deck, [0], [key.secret_bytes()]) == (0,)
    with refused(FaultCode.NO_SUCH_TILE, "tile"):
        crypto.open_tiles(deck, [1], [key.secret_bytes()])
