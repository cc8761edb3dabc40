"""The makers of test vectors, one module a topic; `generate_vectors.py` runs them all.

A topic's module has `vectors()`, which yields its vectors in a fixed order, the same on every run.
"""
