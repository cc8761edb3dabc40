"""Which layer of the specification refused: told by the module in which a fault was first found."""

from __future__ import annotations

from p2prummi.errors import RemoteProtocolError

LAYERS = {
    "p2prummi.wire.encoding": "encoding",
    "p2prummi.wire.schema": "schema",
    "p2prummi.wire.events": "schema",
    "p2prummi.wire.frames": "schema",
    "p2prummi.wire.hello": "schema",
    "p2prummi.wire.melds": "rules",
    "p2prummi.crypto.room_code": "link",
    "p2prummi.session.listener": "link",
    "p2prummi.net.tls": "link",
    "p2prummi.transcript.agreement": "agreement",
    "p2prummi.transcript.blame": "session",
}
PACKAGES = {"p2prummi.crypto": "crypto", "p2prummi.transcript": "transcript", "p2prummi.session": "session"}


def layer_of(refusal: RemoteProtocolError) -> str:
    """The layer where the fault was found, before a seat or a place was added to it."""
    cause: BaseException = refusal
    while isinstance(cause.__cause__, RemoteProtocolError):
        cause = cause.__cause__
    traceback = cause.__traceback__
    assert traceback is not None, "a refusal that was caught has a traceback"
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    module = str(traceback.tb_frame.f_globals["__name__"])
    return LAYERS.get(module) or PACKAGES[module.rpartition(".")[0]]
