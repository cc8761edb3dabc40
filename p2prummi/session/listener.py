"""The listening side of a handshake: checks the dialler's signature, errand and code.

What both sides share, and the order of the frames, is in `handshake.py`.
"""

from __future__ import annotations

from typing import ClassVar

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.labels import Label
from p2prummi.crypto.room_code import CodeExchange, ExchangeContext, RoomCode
from p2prummi.crypto.signing import verify
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.session.handshake import Handshake, Linked, Probed, Side, State, Transitions
from p2prummi.wire import limits
from p2prummi.wire.hello import NO_ROOM, Accepted, CodeProof, CodeReply, Hello, RoomInfo, Start, Welcome
from p2prummi.wire.shown import shown_name


class Listener(Handshake):
    """The side that the connection came to; it speaks first, once TLS is up."""

    def __init__(self, side: Side) -> None:
        super().__init__(side, State.HELLO)
        self._hello: Hello | None = None
        local = self._local
        welcome = Welcome(
            versions=local.versions,
            program=local.program,
            nonce=self._nonce,
            name=local.name,
            room_id=local.room_id,
            code_needed=local.code is not None,
        )
        self._send(welcome, State.HELLO)

    @property
    def _dialler(self) -> Hello:
        assert self._hello is not None, "every state after HELLO has one"
        return self._hello

    def _on_hello(self, frame: Hello, now: float) -> None:
        if frame.version not in self._common_versions():
            raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "a protocol version that not both sides offer")
        if frame.key == self._local.key.public:
            raise RemoteProtocolError(FaultCode.HANDSHAKE_FAILED, "this key is the listener's own")
        body = frame.signed_body(self._certificate_hash, self._nonce)
        if not verify(frame.key, Label.SIGN_HANDSHAKE, body, frame.signature):
            raise RemoteProtocolError(
                FaultCode.BAD_SIGNATURE, "the hello is not signed by its key for this connection"
            )
        self._hello = frame
        if frame.purpose == "probe":
            self._send(RoomInfo(advert=self._local.advert), State.START)
            self._end(self._probed(frame))
            return
        self._check_room(frame)
        if self._local.code is None:
            self._accept(b"", now)
        else:
            self._reply_to_code(frame, self._local.code, now)

    def _probed(self, hello: Hello) -> Probed:
        return Probed(
            peer=hello.key,
            name=shown_name(hello.name, fingerprint(hello.key)),
            program=self._peer_program,
            versions=self._peer_versions,
            advert=hello.advert,
            port=hello.port,
            addresses=hello.addresses,
        )

    def _check_room(self, hello: Hello) -> None:
        if hello.room_id == NO_ROOM or hello.room_id != self._local.room_id:
            raise RemoteProtocolError(FaultCode.WRONG_ROOM, "this peer does not sit in that room")
        peers = self._pairing.peers()
        if hello.key not in peers and len(peers) >= limits.LINKS_MAX:
            raise RemoteProtocolError(FaultCode.TOO_MANY_CONNECTIONS, "this peer has as many links as it may")
        if (self._local.code is None) != (hello.code_message == b""):
            raise RemoteProtocolError(
                FaultCode.WRONG_CODE, "a room code where none is asked for, or none where one is"
            )

    def _reply_to_code(self, hello: Hello, code: RoomCode, now: float) -> None:
        self._require_attempts_left(now)
        context = ExchangeContext(
            dialler_key=hello.key,
            dialler_nonce=hello.nonce,
            certificate_hash=self._certificate_hash,
            listener_nonce=self._nonce,
        )
        exchange = CodeExchange(code, "listener", context, self._entropy)
        self._proofs = exchange.finish(hello.code_message)
        self._send(CodeReply(message=exchange.message), State.CODE_PROOF)

    def _on_code_proof(self, frame: CodeProof, now: float) -> None:
        assert self._proofs is not None, "this state is reached only with an exchange finished"
        # Asked again here: many connections may have begun an exchange before the first of them failed.
        self._require_attempts_left(now)
        if not self._proofs.confirms(frame.proof):
            self._attempts.failed(now)
            raise RemoteProtocolError(FaultCode.WRONG_CODE, "this is not the room's code")
        self._accept(self._proofs.own, now)

    def _accept(self, proof: bytes, now: float) -> None:
        if self._local.key.public < self._dialler.key:
            self._claim_pair(self._dialler.key, now)
        self._send(Accepted(proof=proof), State.START)

    def _on_start(self, frame: Start, now: float) -> None:
        del frame
        hello = self._dialler
        claim = self._claim or self._claim_pair(hello.key, now)
        if not self._pairing.holds(claim):
            raise RemoteProtocolError(
                FaultCode.DUPLICATE_LINK, "another connection has taken this one's place"
            )
        self._end(
            Linked(
                peer=hello.key,
                name=shown_name(hello.name, fingerprint(hello.key)),
                program=self._peer_program,
                version=hello.version,
                room_id=hello.room_id,
                claim=claim,
                port=hello.port,
                addresses=hello.addresses,
            )
        )

    transitions: ClassVar[Transitions] = {
        State.HELLO: (Hello, _on_hello),
        State.CODE_PROOF: (CodeProof, _on_code_proof),
        State.START: (Start, _on_start),
    }
