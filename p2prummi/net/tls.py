"""TLS for links: a self-signed certificate of the identity key, contexts, and whose key answered.

TLS 1.3 only, without tickets. No authority and no date is trusted: the listener is known by the Ed25519 key
of its certificate, which TLS proves that it holds; the dialler proves its own key in the handshake
(`p2prummi.session`).
"""

from __future__ import annotations

import datetime as dt
import ssl
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

from p2prummi.crypto.labels import Label, digest
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.net.identity import Secret

# The dates are not what is trusted, and clocks are wrong: the certificate has always been and will always be
# valid.
NOT_BEFORE: Final = dt.datetime(2000, 1, 1, tzinfo=dt.UTC)
NOT_AFTER: Final = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a peer's connections need: a context for each side, and the hash of its own certificate."""

    server: ssl.SSLContext = field(repr=False)
    client: ssl.SSLContext = field(repr=False)
    certificate_hash: bytes


def make_credentials(secret: Secret, directory: Path) -> Credentials:
    """Makes a certificate of the identity.

    `directory` is a private one, for a moment's file that is needed to load it.
    """
    key = Ed25519PrivateKey.from_private_bytes(secret.data)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "p2prummi")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOT_BEFORE)
        .not_valid_after(NOT_AFTER)
        .sign(key, None)
    )
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.minimum_version = ssl.TLSVersion.TLSv1_3
    server.num_tickets = 0
    server.verify_mode = ssl.CERT_NONE
    pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    with tempfile.TemporaryDirectory(dir=directory, prefix=".tls-") as place:
        path = Path(place) / "pem"
        path.touch(0o600)
        path.write_bytes(pem + certificate.public_bytes(Encoding.PEM))
        server.load_cert_chain(path)
    return Credentials(server, _client_context(), certificate_hash(certificate.public_bytes(Encoding.DER)))


def certificate_hash(certificate: bytes) -> bytes:
    """The 32 bytes that stand for a certificate (DER) in a handshake."""
    return digest(Label.CERTIFICATE, certificate)


def certificate_key(certificate: bytes | None) -> bytes:
    """The identity key of a certificate (DER).

    Raises RemoteProtocolError (handshake_failed) where it holds none.
    """
    try:
        key = x509.load_der_x509_certificate(certificate or b"").public_key()
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise RemoteProtocolError(FaultCode.HANDSHAKE_FAILED, "the certificate holds no Ed25519 key")
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _client_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context
