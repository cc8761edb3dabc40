"""Which check judges which operation of the vectors: from the JSON of an input to the JSON of an output."""

# The letters are those of the specification.
# ruff: noqa: N806

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

from verifier import (
    agreement,
    deck,
    ed25519,
    handshake,
    hashing,
    keys,
    melds,
    messages,
    room_code,
    rounds,
    shuffle,
    turns,
    values,
)
from verifier.group import read_point
from verifier.refusal import blaming

Json = Any
Operation = Callable[[Json], Json]


def _hex(*strings: str) -> list[bytes]:
    return [bytes.fromhex(string) for string in strings]


def _b(string: str) -> bytes:
    return bytes.fromhex(string)


def digest(given: Json) -> Json:
    """The framed digest of parts."""
    return {"digest": hashing.digest(given["label"], *_hex(*given["parts"])).hex()}


def hash_to_group(given: Json) -> Json:
    """The point of a label and an index."""
    return {"point": hashing.hash_to_group(given["label"], given["index"]).encode().hex()}


def challenge(given: Json) -> Json:
    """A running challenge, step by step."""
    running = hashing.RunningChallenge(given["label"])
    drawn = []
    for step in given["steps"]:
        if "draw" in step:
            drawn.append(running.draw(step["draw"]).to_bytes(32, "big").hex())
        else:
            running.absorb(step["absorb"], _b(step["item"]))
    return {"challenges": drawn}


def signature(given: Json) -> None:
    """One signature."""
    ed25519.check_signature(_b(given["key"]), given["label"], _b(given["body"]), _b(given["signature"]))


def key_proof(given: Json) -> None:
    """One key proof."""
    keys.check_key_proof(_b(given["context"]), given["seat"], _b(given["key"]), _b(given["proof"]))


def commitment(given: Json) -> None:
    """What is revealed, against what was committed to."""
    keys.check_commitment(
        _b(given["context"]),
        given["seat"],
        _b(given["commitment"]),
        _b(given["key"]),
        _b(given["proof"]),
        _b(given["coin"]),
    )


def joint_key(given: Json) -> Json:
    """The sum of all keys."""
    return {"joint_key": keys.joint_key(_hex(*given["keys"])).encode().hex()}


def joint_coin(given: Json) -> Json:
    """The coin of all seats, and numbers drawn from it."""
    coin = keys.joint_coin(_b(given["context"]), _hex(*given["coins"]))
    drawing = hashing.CoinDraws(coin)
    draws = [drawing.below(int(bound, 16)) for bound in given["bounds"]]
    return {"joint_coin": coin.hex(), "draws": [f"{draw:x}" for draw in draws]}


def first_deck(given: Json) -> Json:
    """The deck before any shuffle."""
    return {"deck": deck.first_deck(read_point(_b(given["joint_key"])), given["size"]).hex()}


def read_deck(given: Json) -> None:
    """The bytes of a deck."""
    deck.read_deck(_b(given["deck"]), given["size"])


def shuffles(given: Json) -> None:
    """Read everything, then check each proof by itself, in order; the first bad one's seat is blamed."""
    Y = read_point(_b(given["joint_key"]))
    size = given["size"]
    read = []
    for statement in given["statements"]:
        with blaming(statement["seat"]):
            before = deck.read_deck(_b(statement["before"]), size)
            after = deck.read_deck(_b(statement["after"]), size)
            read.append((statement, before, after, shuffle.read_proof(_b(statement["proof"]), size)))
    for statement, before, after, proof in read:
        with blaming(statement["seat"]):
            shuffle.check_shuffle(_b(statement["context"]), statement["seat"], Y, before, after, proof)


def shares(given: Json) -> None:
    """The shares that one event carries, with their one proof."""
    deck.check_shares(
        _b(given["context"]),
        _b(given["key"]),
        deck.read_deck(_b(given["deck"]), given["size"]),
        given["indices"],
        _b(given["shares"]),
        _b(given["proof"]),
    )


def open_tile(given: Json) -> Json:
    """The tile of a ciphertext, opened with the shares of all seats."""
    cards = deck.read_deck(_b(given["deck"]), given["size"])
    return {"tile": deck.open_with_shares(cards, given["index"], _hex(*given["shares"]))}


def settle(given: Json) -> Json:
    """The tiles of a deck, opened with the secrets of all seats."""
    cards = deck.read_deck(_b(given["deck"]), given["size"])
    tiles, publics = deck.open_with_secrets(cards, _hex(*given["secrets"]))
    return {"tiles": tiles, "keys": [public.hex() for public in publics]}


def value(given: Json) -> Json:
    """The bytes of one value."""
    return {"value": values.to_json(values.decode(_b(given["bytes"])))}


def event(given: Json) -> Json:
    """The body of an event."""
    body = _b(given["body"])
    return {"value": messages.read_event(body), "hash": messages.event_hash(body).hex()}


def frame(given: Json) -> Json:
    """One frame of a link that is up."""
    return {"value": messages.read_frame(_b(given["bytes"]))}


def ruleset(given: Json) -> Json:
    """The hash of a ruleset."""
    return {"hash": messages.ruleset_hash(given["ruleset"]).hex()}


def _round(given: Json) -> messages.Round:
    rules = values.from_json(given["ruleset"])
    return messages.Round(_b(given["match"]), given["number"], rules, tuple(_hex(*given["keys"])))


def context(given: Json) -> Json:
    """The context of a round, and its first head."""
    bound = _round(given).context
    return {"context": bound.hex(), "head": messages.head_before_first(bound).hex()}


def chain(given: Json) -> Json:
    """All heads of a chain, from the one before its first step."""
    heads = [messages.head_before_first(_b(given["context"]))]
    for step in given["steps"]:
        heads.append(messages.head_after(heads[-1], _hex(*step)))
    return {"heads": [head.hex() for head in heads]}


def state(given: Json) -> Json:
    """The hash of a public state."""
    return {"hash": messages.state_hash(given["state"]).hex()}


def room(given: Json) -> Json:
    """The id of a room."""
    return {"room": agreement.room_id(_b(given["opener"]), _b(given["nonce"])).hex()}


def nonce_commitment(given: Json) -> Json:
    """The commitment to an opener's nonce."""
    return {"commitment": agreement.nonce_commitment(_b(given["nonce"])).hex()}


def proposal(given: Json) -> Json:
    """A proposed match."""
    proposed = agreement.check_proposal(_b(given["body"]), _b(given["signature"]))
    return {"value": proposed.value, "hash": proposed.hash.hex()}


def match(given: Json) -> Json:
    """A proposal with all acceptances."""
    names = ("key", "proposal", "nonce", "signature")
    acceptances = [agreement.Acceptance(*(_b(one[name]) for name in names)) for one in given["acceptances"]]
    agreed = agreement.check_match(_b(given["body"]), _b(given["signature"]), acceptances)
    return {"match": agreed.id.hex(), "seats": [key.hex() for key in agreed.seats]}


def admit(given: Json) -> None:
    """An event for the first slot of a round."""
    messages.check_commit_event(_round(given), _b(given["body"]), _b(given["signature"]))


def held(given: Json) -> None:
    """Events of one round, in the order in which they come."""
    events = [(_b(one["body"]), _b(one["signature"])) for one in given["events"]]
    messages.check_held(_round(given), events)


def acks(given: Json) -> None:
    """Acknowledgements of one round, in the order in which they come."""
    messages.check_acknowledgements(
        _hex(*given["frames"]),
        _round(given).keys,
        given["sequence"],
        _b(given["head"]),
        _b(given["state"]),
    )


def ack(given: Json) -> None:
    """An acknowledgement."""
    messages.check_acknowledgement(_b(given["frame"]), _hex(*given["keys"]))


def table(given: Json) -> None:
    """The melds on a table."""
    melds.check_table(given["copies"], given["jokers"], [(kind, tiles) for kind, tiles in given["melds"]])


def transcript(given: Json) -> Json:
    """The file of a match."""
    agreed, events = agreement.check_transcript(_b(given["bytes"]))
    return {"match": agreed.id.hex(), "events": events}


def certificate(given: Json) -> Json:
    """A listener's certificate."""
    shown = _b(given["certificate"])
    return {"key": handshake.key_of(shown).hex(), "hash": handshake.certificate_hash(shown).hex()}


def fingerprint(given: Json) -> Json:
    """What people compare of a key."""
    return {"fingerprint": handshake.fingerprint(_b(given["key"]))}


def hello(given: Json) -> Json:
    """A dialler's first frame, in answer to a welcome."""
    frames = _b(given["welcome"]), _b(given["hello"])
    return {"value": handshake.check_hello(_b(given["listener"]), _b(given["certificate_hash"]), *frames)}


def exchange(given: Json) -> Json:
    """One side's part in proving a room code."""
    side = room_code.Side(
        is_dialler=given["side"] == "dialler",
        code=given["code"],
        id_a=_b(given["dialler_key"] + given["dialler_nonce"]),
        id_b=_b(given["certificate_hash"] + given["listener_nonce"]),
        secret=int(given["secret"], 16),
    )
    proof = room_code.check_exchange(side, _b(given["message"]), _b(given["proof"]))
    return {"message": side.message.hex(), "proof": proof.hex()}


def starter(given: Json) -> Json:
    """Who starts the first round."""
    draws = hashing.CoinDraws(_b(given["coin"]))
    return {"seat": turns.starter(_rules(given), given["seats"], draws.below)}


def deal(given: Json) -> Json:
    """Who is dealt which index of the deck."""
    return {"dealt_to": list(turns.dealt_to(_rules(given), given["seats"], given["starter"]))}


def score(given: Json) -> Json:
    """What a round is worth, by seat and by team."""
    rules, racks = _rules(given), given["racks"]
    unopened: dict[int, list[int] | None] = {}
    for seat, drawn in enumerate(given["drawn_last"]):
        if not given["opened"][seat]:
            before = [tile for tile in racks[seat] if drawn == -1 or tile not in drawn]
            unopened[seat] = None if drawn == -1 else before
    points = turns.score(rules, racks, given["winner"], given["next"], unopened=unopened)
    return {"points": points, "team_points": turns.team_points(rules, points)}


def _rules(given: Json) -> turns.Rules:
    rules = values.from_json(given["ruleset"])
    if not isinstance(rules, dict):
        raise TypeError
    return rules


def _steps(given: Json) -> list[list[tuple[bytes, bytes]]]:
    return [[(_b(one["body"]), _b(one["signature"])) for one in events] for events in given["steps"]]


@cache
def _history(written: str) -> list[rounds.State]:
    """All states of a good round, from the one before its first slot on."""
    given = json.loads(written)
    states = [rounds.begin(_round(given))]
    for events in _steps(given):
        states.append(rounds.advance(states[-1], events))
    return states


def whole_round(given: Json) -> Json:
    """A round from its first slot to its last."""
    states = _history(json.dumps(given))
    return {
        "heads": [state.head.hex() for state in states[1:]],
        "states": [state.hash().hex() for state in states[1:]],
        "racks": [list(rack) for rack in states[-1].racks],
        "points": list(states[-1].points),
    }


def step(given: Json) -> None:
    """Steps that go on from a prefix of a good round; `round` holds that round's input here."""
    state = _history(json.dumps(given["round"]))[given["slots"]]
    for events in _steps(given):
        state = rounds.advance(state, events)


TOPICS: dict[str, dict[str, Operation]] = {
    "crypto": {
        "digest": digest,
        "hash_to_group": hash_to_group,
        "challenge": challenge,
        "signature": signature,
        "key_proof": key_proof,
        "commitment": commitment,
        "joint_key": joint_key,
        "joint_coin": joint_coin,
        "first_deck": first_deck,
        "read_deck": read_deck,
        "shuffles": shuffles,
        "shares": shares,
        "open": open_tile,
        "settle": settle,
    },
    "encoding": {"value": value},
    "events": {
        "event": event,
        "frame": frame,
        "ruleset": ruleset,
        "context": context,
        "chain": chain,
        "state": state,
        "room": room,
        "nonce_commitment": nonce_commitment,
        "proposal": proposal,
        "match": match,
        "admit": admit,
        "ack": ack,
        "held": held,
        "acks": acks,
        "table": table,
        "transcript": transcript,
    },
    "links": {"certificate": certificate, "fingerprint": fingerprint, "hello": hello, "room_code": exchange},
    "rules": {"starter": starter, "deal": deal, "score": score},
    "rounds": {"round": whole_round, "step": step},
}
