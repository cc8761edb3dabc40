"""Makes all test vectors anew: `python scripts/generate_vectors.py [topic...]`.

Everything comes from fixed seeds, so that a second run changes nothing (`just check` looks). Files that no
longer belong to a topic are removed. Vectors that show an attack need the test suite's cheating provers.
"""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "protocol" / "vectors"
TOPICS = tuple(sorted(module.name for module in iter_modules([str(ROOT / "scripts" / "vectors" / "topics")])))


def generate(topic: str, target: Path = TARGET) -> int:
    """Write the vectors of one topic; gives their number."""
    folder = target / topic
    folder.mkdir(parents=True, exist_ok=True)
    written: set[Path] = set()
    for vector in import_module(f"vectors.topics.{topic}").vectors():
        path = folder / f"{vector.name}.json"
        if path in written:
            raise ValueError(f"two vectors of {topic} are named {vector.name}")
        path.write_text(vector.to_json(), encoding="ascii", newline="\n")
        written.add(path)
    for stale in set(folder.glob("*.json")) - written:
        stale.unlink()
    return len(written)


def main(arguments: list[str]) -> int:
    """Make the topics that are named, or all."""
    unknown = set(arguments) - set(TOPICS)
    if unknown:
        print(f"no such topic: {', '.join(sorted(unknown))}; there are: {', '.join(TOPICS)}", file=sys.stderr)
        return 2
    for topic in arguments or TOPICS:
        print(f"{topic}: {generate(topic)} vectors")
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main(sys.argv[1:]))
