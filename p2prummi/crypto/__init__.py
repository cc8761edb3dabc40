"""The cryptography: keys, joint shuffle with proofs, decryption shares, signatures.

`deck.py` is what the layers above use for the deck, `signing.py` for identities, `labels.py` for hashes,
`entropy.py` for randomness; the other modules hold one primitive each. Specification:
`protocol/spec/crypto.md`.
"""
