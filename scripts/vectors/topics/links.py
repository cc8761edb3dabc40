"""Vectors of links before they are up: certificates, fingerprints, the dialler's hello, the room code.

Signatures and exchanges are real ones. What is random in them (nonces, both scalars of an exchange) comes
from a seed that is written here, and the scalars are shown.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from p2prummi.crypto.entropy import SeededEntropy
from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.labels import Label
from p2prummi.crypto.room_code import CodeExchange, ExchangeContext, RoomCode, Side
from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode
from p2prummi.net.tls import certificate_hash
from p2prummi.wire.encoding import Encodable, decode, encode
from p2prummi.wire.hello import Hello, RoomAdvert, Welcome, encode_handshake
from vectors.notation import to_json
from vectors.vector import Fault, Vector

ENTROPY = SeededEntropy(b"vectors of links")
LISTENER_SECRET, DIALLER, STRANGER = ENTROPY(32), SigningKey(ENTROPY(32)), SigningKey(ENTROPY(32))
ROOM, OTHER_ROOM, NONCE, OTHER_NONCE = (ENTROPY(32) for _ in range(4))
DIGITS, OTHER_DIGITS = "1234567890", "1234567891"
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the group of Ed25519."""
SMALL_ORDER = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
"""A point of order eight."""
OFF_CURVE = (2).to_bytes(32, "little")


def vectors() -> Iterator[Vector]:
    """All vectors of this topic."""
    yield from _certificates()
    for name, key in (("listener", SigningKey(LISTENER_SECRET)), ("dialler", DIALLER)):
        yield Vector(
            name=f"fingerprint_of_the_{name}",
            notes=f"The fingerprint of the {name}'s key",
            operation="fingerprint",
            inputs={"key": key.public.hex()},
            outputs={"fingerprint": fingerprint(key.public)},
        )
    yield from _hellos()
    yield from _exchanges()


def _certificate(key: ec.EllipticCurvePublicKey | None = None) -> bytes:
    """A certificate signed with the listener's key, for that key or for another one."""
    own = Ed25519PrivateKey.from_private_bytes(LISTENER_SECRET)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2prummi")])
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name)
    builder = builder.public_key(own.public_key() if key is None else key).serial_number(1)
    builder = builder.not_valid_before(dt.datetime(2000, 1, 1, tzinfo=dt.UTC))
    builder = builder.not_valid_after(dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC))
    return builder.sign(own, None).public_bytes(Encoding.DER)


CERTIFICATE_HASH = certificate_hash(_certificate())


def _certificates() -> Iterator[Vector]:
    def certificate(name: str, notes: str, data: bytes, *, is_good: bool = False) -> Vector:
        shown = {"key": SigningKey(LISTENER_SECRET).public.hex(), "hash": certificate_hash(data).hex()}
        return Vector(
            name=f"certificate_{name}",
            notes=notes,
            operation="certificate",
            inputs={"certificate": data.hex()},
            outputs=shown if is_good else {},
            fault=None if is_good else _refused(FaultCode.HANDSHAKE_FAILED),
        )

    good = _certificate()
    other = ec.derive_private_key(1, ec.SECP256R1()).public_key()
    yield certificate("good", "The listener's key, and the hash of the certificate", good, is_good=True)
    yield certificate("of_another_kind_of_key", "A key on the curve P-256", _certificate(other))
    yield certificate("cut_off", "The last byte is missing", good[:-1])


def _refused(code: FaultCode, layer: str = "link") -> Fault:
    return Fault(code=code.value, layer=layer)


WELCOME = Welcome(
    versions=(1,), program="p2prummi 0.1", nonce=NONCE, name="bo", room_id=ROOM, code_needed=False
)
ADVERT = RoomAdvert(
    state="open",
    room_id=OTHER_ROOM,
    name="kitchen",
    opener=DIALLER.public,
    ruleset_name="official",
    ruleset_hash=ENTROPY(32),
    seats_taken=1,
    seats=4,
    code_required=True,
)
HELLO = Hello(
    versions=(1,),
    program="p2prummi 0.1",
    version=1,
    key=DIALLER.public,
    nonce=ENTROPY(32),
    name="cé",
    port=4711,
    addresses=("192.0.2.7:4711", "[2001:db8::7]:4711"),
    purpose="join",
    room_id=ROOM,
    advert=RoomAdvert(),
    code_message=b"",
)


def _signed(hello: Hello, key: SigningKey = DIALLER, *, certificate: bytes = CERTIFICATE_HASH) -> Hello:
    body = hello.signed_body(certificate, NONCE)
    return replace(hello, signature=key.sign(Label.SIGN_HANDSHAKE, body))


def _hellos() -> Iterator[Vector]:
    for name, notes, hello in (
        ("to_join", "A peer that sits in no room joins one", HELLO),
        ("to_look", "A peer that has opened a room looks", replace(HELLO, purpose="probe", advert=ADVERT)),
        ("nowhere_to_dial", "A peer that can't be dialled", replace(HELLO, port=0, addresses=())),
        ("of_a_later_program", "It speaks later versions too", replace(HELLO, versions=(1, 2, 65535))),
    ):
        yield _hello(name, notes, encode_handshake(_signed(hello)))
    yield from _unsigned_hellos()
    yield from _hellos_of_another_form()


def _hello(name: str, notes: str, data: bytes, fault: Fault | None = None, *, nonce: bytes = NONCE) -> Vector:
    return Vector(
        name=f"hello_{name}",
        notes=notes,
        operation="hello",
        inputs={
            "listener": SigningKey(LISTENER_SECRET).public.hex(),
            "certificate_hash": CERTIFICATE_HASH.hex(),
            "welcome": encode_handshake(replace(WELCOME, nonce=nonce)).hex(),
            "hello": data.hex(),
        },
        outputs={} if fault else {"value": to_json(decode(data))},
        fault=fault,
    )


def _unsigned_hellos() -> Iterator[Vector]:
    """Signatures that do not hold: of another connection, by another key, over other fields."""
    good = _signed(HELLO)
    flipped = bytes([good.signature[0] ^ 1]) + good.signature[1:]
    cases: dict[str, tuple[str, Hello]] = {
        "on_another_certificate": (
            "Signed for a listener with another certificate, as a man in the middle passes it on",
            _signed(HELLO, certificate=bytes(32)),
        ),
        "by_another_key": ("Signed by another key than it names", _signed(HELLO, STRANGER)),
        "with_another_key": ("Another key than that which signed", replace(good, key=STRANGER.public)),
        "with_a_bit_changed": ("One bit of the signature", replace(good, signature=flipped)),
        "of_a_key_of_small_order": (
            "A key of order one, under which this signature would fit any message",
            replace(good, key=(1).to_bytes(32, "little"), signature=(1).to_bytes(32, "little") + bytes(32)),
        ),
        "with_other_versions": ("Other versions than signed", replace(good, versions=(1, 2))),
        "with_another_program": ("Another program than signed", replace(good, program="other")),
        "with_another_nonce": ("Another nonce of its own than signed", replace(good, nonce=OTHER_NONCE)),
        "with_another_name": ("Another name than signed", replace(good, name="ann")),
        "with_another_port": ("Another port than signed", replace(good, port=4712)),
        "with_another_address": ("Other addresses than signed", replace(good, addresses=good.addresses[:1])),
        "with_another_purpose": ("Another purpose than signed", replace(good, purpose="probe")),
        "with_another_room": ("Another room than signed", replace(good, room_id=OTHER_ROOM)),
        "with_another_advert": ("Another advert than signed", replace(good, advert=ADVERT)),
        "with_a_code_message": ("A code message that was not signed", replace(good, code_message=bytes(33))),
    }
    refused = _refused(FaultCode.BAD_SIGNATURE)
    for name, (notes, hello) in cases.items():
        yield _hello(name, notes, encode_handshake(hello), refused)
    yield _hello(
        "on_an_old_connection",
        "Signed over the nonce of an earlier welcome",
        encode_handshake(good),
        refused,
        nonce=OTHER_NONCE,
    )


def _hellos_of_another_form() -> Iterator[Vector]:
    """Fields of another form; every one is signed as it stands."""
    *fields, _ = _fields(_signed(HELLO))
    changes: dict[str, tuple[int, Encodable]] = {
        "no_versions": (1, ()),
        "version_0": (3, 0),
        "a_short_key": (4, DIALLER.public[:-1]),
        "a_long_nonce": (5, bytes(33)),
        "no_name": (6, ""),
        "a_port_too_high": (7, 65536),
        "a_short_address": (8, ("::",)),
        "an_unknown_purpose": (9, "watch"),
        "half_a_room": (10, ROOM[:16]),
        "an_idle_advert_with_seats": (11, replace(RoomAdvert(), seats=4).to_value()),
        "an_advert_without_opener": (11, replace(ADVERT, opener=b"").to_value()),
        "an_advert_with_too_many_seats_taken": (11, replace(ADVERT, seats_taken=5).to_value()),
        "a_short_code_message": (12, bytes(32)),
    }
    for name, (place, value) in changes.items():
        changed = (*fields[:place], value, *fields[place + 1 :])
        body = encode((CERTIFICATE_HASH, NONCE, changed))
        data = encode((*changed, DIALLER.sign(Label.SIGN_HANDSHAKE, body)))
        notes = f"A hello with {name.replace('_', ' ')}, signed"
        yield _hello(f"with_{name}", notes, data, _refused(FaultCode.WRONG_SCHEMA, "schema"))
    own = SigningKey(LISTENER_SECRET)
    yield _hello(
        "by_the_listener_itself",
        "It names the listener's own key, and is signed by it",
        encode_handshake(_signed(replace(HELLO, key=own.public), own)),
        _refused(FaultCode.HANDSHAKE_FAILED),
    )
    other = replace(HELLO, version=2)
    yield _hello(
        "of_a_version_not_in_common",
        "It names a version that the listener does not speak",
        encode_handshake(_signed(other)),
        _refused(FaultCode.WRONG_SCHEMA),
    )


def _fields(hello: Hello) -> tuple[Encodable, ...]:
    """The frame's array."""
    value = decode(encode_handshake(hello))
    assert isinstance(value, tuple)
    return value


@dataclass(frozen=True, slots=True)
class _Given:
    """One side of an exchange: its own scalar, and what it gets from the other side."""

    side: Side
    digits: str
    secret: int
    message: bytes
    proof: bytes


CONTEXT = ExchangeContext(
    dialler_key=DIALLER.public,
    dialler_nonce=HELLO.nonce,
    certificate_hash=CERTIFICATE_HASH,
    listener_nonce=NONCE,
)
SECRETS: dict[Side, int] = {
    "dialler": int.from_bytes(ENTROPY(64), "big") % ORDER,
    "listener": int.from_bytes(ENTROPY(64), "big") % ORDER,
}


def _exchange(side: Side, digits: str = DIGITS, context: ExchangeContext = CONTEXT) -> CodeExchange:
    return CodeExchange(RoomCode(digits), side, context, lambda count: SECRETS[side].to_bytes(count, "big"))


def _exchanges() -> Iterator[Vector]:
    other_side: dict[Side, Side] = {"dialler": "listener", "listener": "dialler"}
    for side, other in other_side.items():
        own, its = _exchange(side), _exchange(other)
        proofs = own.finish(its.message)
        good = _Given(side, DIGITS, SECRETS[side], its.message, proofs.expected)
        yield _code(
            f"{side}_good",
            f"The {side}'s message and proof; the other side knows the code",
            good,
            outputs={"message": own.message.hex(), "proof": proofs.own.hex()},
        )
        wrong = {
            "guessed": ("The other side has guessed another code", _guess(side, other)),
            "own_proof": ("The other side sends this side's own proof back", replace(good, proof=proofs.own)),
            "old_proof": ("The other side's proof on a connection with another nonce", _old(side, other)),
        }
        for name, (notes, given) in wrong.items():
            yield _code(f"{side}_{name}", notes, given, _refused(FaultCode.WRONG_CODE))
        letter = its.message[:1]
        messages = {
            "short": ("31 bytes of a point", its.message[:-1]),
            "long": ("A byte too many", its.message + b"\0"),
            "of_the_same_side": ("A message of the same side", own.message[:1] + its.message[1:]),
            "of_no_side": ("A message of neither side", b"S" + its.message[1:]),
            "own": ("This side's own point", letter + own.message[1:]),
            "off_curve": ("No point has this encoding", letter + OFF_CURVE),
            "neutral": ("The neutral element", letter + (1).to_bytes(32, "little")),
            "of_small_order": ("A point of order eight", letter + SMALL_ORDER),
        }
        for name, (notes, message) in messages.items():
            given = replace(good, message=message)
            yield _code(f"{side}_gets_{name}", notes, given, _refused(FaultCode.HANDSHAKE_FAILED))


def _guess(side: Side, other: Side) -> _Given:
    """What the other side sends that takes another code for the room's."""
    its = _exchange(other, OTHER_DIGITS)
    message = its.message
    return _Given(side, DIGITS, SECRETS[side], message, its.finish(_exchange(side).message).own)


def _old(side: Side, other: Side) -> _Given:
    """The other side's good proof, but in another context."""
    its = _exchange(other, context=replace(CONTEXT, dialler_nonce=OTHER_NONCE, listener_nonce=OTHER_NONCE))
    message = its.message
    return _Given(side, DIGITS, SECRETS[side], message, its.finish(_exchange(side).message).own)


def _code(
    name: str,
    notes: str,
    given: _Given,
    fault: Fault | None = None,
    *,
    outputs: dict[str, str] | None = None,
) -> Vector:
    return Vector(
        name=f"room_code_{name}",
        notes=notes,
        operation="room_code",
        inputs={
            "side": given.side,
            "code": given.digits,
            "dialler_key": CONTEXT.dialler_key.hex(),
            "dialler_nonce": CONTEXT.dialler_nonce.hex(),
            "certificate_hash": CONTEXT.certificate_hash.hex(),
            "listener_nonce": CONTEXT.listener_nonce.hex(),
            "secret": f"{given.secret:064x}",
            "message": given.message.hex(),
            "proof": given.proof.hex(),
        },
        outputs=outputs or {},
        fault=fault,
    )
