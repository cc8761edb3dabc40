"""What `scripts/bench.py` measures, a topic a file."""
