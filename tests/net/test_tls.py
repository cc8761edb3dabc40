"""Certificates: they hold the identity's key, are of no date, and anything else is none of a peer."""

from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from p2prummi.crypto.signing import SigningKey
from p2prummi.errors import FaultCode, RemoteProtocolError
from p2prummi.net.identity import Secret
from p2prummi.net.tls import certificate_hash, certificate_key, make_credentials

SECRET = Secret(bytes([5]) * 32)


def exchanged(directory: Path) -> tuple[bytes, bytes]:
    """The certificate that a client sees in a handshake in memory, and the hash that its owner has."""
    credentials = make_credentials(SECRET, directory)
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = credentials.server.wrap_bio(to_server, to_client, server_side=True)
    client = credentials.client.wrap_bio(to_client, to_server, server_hostname="p2prummi")
    done = [False, False]
    while not all(done):
        for number, side in enumerate((client, server)):
            try:
                side.do_handshake()
                done[number] = True
            except ssl.SSLWantReadError:
                continue
    assert client.version() == server.version() == "TLSv1.3"
    certificate = client.getpeercert(binary_form=True)
    assert certificate is not None
    return certificate, credentials.certificate_hash


def test_the_certificate_is_that_of_the_identity(tmp_path: Path) -> None:
    certificate, own_hash = exchanged(tmp_path)
    assert certificate_key(certificate) == SigningKey(SECRET.data).public
    assert certificate_hash(certificate) == own_hash
    assert list(tmp_path.iterdir()) == []


def test_no_clock_makes_it_invalid(tmp_path: Path) -> None:
    certificate = x509.load_der_x509_certificate(exchanged(tmp_path)[0])
    assert certificate.not_valid_before_utc.year == 2000
    assert certificate.not_valid_after_utc.year == 9999


def other_certificate() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    day = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    dated = builder.serial_number(1).not_valid_before(day).not_valid_after(day)
    return dated.sign(key, hashes.SHA256()).public_bytes(Encoding.DER)


@pytest.mark.parametrize(
    "certificate",
    [None, b"", b"\x30\x00", b"nonsense", other_certificate()],
    # Named, so that every worker has the same names: the last one is another in each.
    ids=["none", "empty", "an empty sequence", "nonsense", "of another kind of key"],
)
def test_what_holds_no_ed25519_key_is_no_peers(certificate: bytes | None) -> None:
    with pytest.raises(RemoteProtocolError) as caught:
        certificate_key(certificate)
    assert caught.value.code is FaultCode.HANDSHAKE_FAILED
