"""The dialling side of a handshake: checks whom it has reached, says who it is, proves the room's code.

What both sides share, and the order of the frames, is in `handshake.py`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar, Final

from p2prummi.crypto.fingerprint import fingerprint
from p2prummi.crypto.labels import Label
from p2prummi.crypto.room_code import CodeExchange, ExchangeContext, RoomCode
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.session.handshake import Errand, Handshake, Linked, Probed, Side, State, Transitions, WrongPeer
from p2prummi.wire.hello import Accepted, CodeProof, CodeReply, Hello, RoomInfo, Start, Welcome
from p2prummi.wire.shown import shown_name


class Dialler(Handshake):
    """The side that opened the connection. `peer_key` is the identity key of the listener's certificate."""

    def __init__(self, side: Side, errand: Errand, *, peer_key: bytes) -> None:
        super().__init__(side, State.WELCOME)
        self._errand: Final = errand
        self._peer: Final = peer_key
        self._exchange: CodeExchange | None = None
        self._name = ""
        is_self = peer_key == self._local.key.public
        if is_self or errand.sought not in (None, peer_key):
            self._end(WrongPeer(peer=peer_key, is_self=is_self))

    def _on_welcome(self, frame: Welcome, now: float) -> None:
        self._name = shown_name(frame.name, fingerprint(self._peer))
        errand = self._errand
        if errand.purpose == "join":
            self._check_room(frame, now)
            if errand.code is not None:
                self._exchange = self._code_exchange(errand.code, frame.nonce)
        local = self._local
        hello = Hello(
            versions=local.versions,
            program=local.program,
            version=max(self._common_versions()),
            key=local.key.public,
            nonce=self._nonce,
            name=local.name,
            port=local.port,
            addresses=local.addresses,
            purpose=errand.purpose,
            room_id=errand.room_id,
            advert=local.advert,
            code_message=b"" if self._exchange is None else self._exchange.message,
        )
        signature = local.key.sign(
            Label.SIGN_HANDSHAKE, hello.signed_body(self._certificate_hash, frame.nonce)
        )
        self._send(replace(hello, signature=signature), self._state_after_hello())

    def _check_room(self, welcome: Welcome, now: float) -> None:
        if welcome.room_id != self._errand.room_id:
            raise RemoteProtocolError(FaultCode.WRONG_ROOM, "this peer does not sit in that room")
        if welcome.code_needed and self._errand.code is None:
            raise RemoteProtocolError(FaultCode.WRONG_CODE, "this room asks for its code")
        if self._errand.code is not None:
            # Who does not ask for the code may not know it: such a peer is no proven member of the room.
            if not welcome.code_needed:
                raise RemoteProtocolError(FaultCode.WRONG_CODE, "this peer does not ask for the room's code")
            self._require_attempts_left(now)

    def _code_exchange(self, code: RoomCode, listener_nonce: bytes) -> CodeExchange:
        context = ExchangeContext(
            dialler_key=self._local.key.public,
            dialler_nonce=self._nonce,
            certificate_hash=self._certificate_hash,
            listener_nonce=listener_nonce,
        )
        return CodeExchange(code, "dialler", context, self._entropy)

    def _state_after_hello(self) -> State:
        if self._errand.purpose == "probe":
            return State.ROOM_INFO
        return State.ACCEPTED if self._exchange is None else State.CODE_REPLY

    def _on_room_info(self, frame: RoomInfo, now: float) -> None:
        del now
        self._end(
            Probed(
                peer=self._peer,
                name=self._name,
                program=self._peer_program,
                versions=self._peer_versions,
                advert=frame.advert,
                port=None,
                addresses=(),
            )
        )

    def _on_code_reply(self, frame: CodeReply, now: float) -> None:
        assert self._exchange is not None, "this state is reached only with an exchange begun"
        self._require_attempts_left(now)
        self._proofs = self._exchange.finish(frame.message)
        # A listener that doesn't know the code can test one guess on this proof, so it counts until it is
        # answered.
        self._attempts.failed(now)
        self._send(CodeProof(proof=self._proofs.own), State.ACCEPTED)

    def _on_accepted(self, frame: Accepted, now: float) -> None:
        if self._proofs is None:
            if frame.proof:
                raise RemoteProtocolError(FaultCode.WRONG_SCHEMA, "a proof of a code that nobody asked for")
        elif self._proofs.confirms(frame.proof):
            self._attempts.forgive()
        else:
            raise RemoteProtocolError(FaultCode.WRONG_CODE, "this peer does not know the room's code")
        claim = self._claim_pair(self._peer, now)
        self._send(Start(), State.START)
        self._end(
            Linked(
                peer=self._peer,
                name=self._name,
                program=self._peer_program,
                version=max(self._common_versions()),
                room_id=self._errand.room_id,
                claim=claim,
                port=None,
                addresses=(),
            )
        )

    transitions: ClassVar[Transitions] = {
        State.WELCOME: (Welcome, _on_welcome),
        State.ROOM_INFO: (RoomInfo, _on_room_info),
        State.CODE_REPLY: (CodeReply, _on_code_reply),
        State.ACCEPTED: (Accepted, _on_accepted),
    }
