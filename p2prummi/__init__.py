"""Rummikub over the local network: no server, no host, no trust.

This package itself holds the version and nothing else. What its parts are and which way imports go is in
`docs/ARCHITECTURE.md`; the protocol that they speak is `protocol/`.
"""

__version__ = "0.1.0"
