"""Copies of the cryptography with one thing left out, to show by attack that the thing is needed.

A mutation names a module, a piece of its source and what to put in its place. The copy is compiled from the
changed source and loaded beside the real one, together with the modules that import it; nothing of the real
one changes.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

PACKAGE = "p2prummi.crypto"

# Each module that is mutated, with those that must be loaded again because they use it, in order of import.
DEPENDENTS: dict[str, tuple[str, ...]] = {
    "key_proof": ("key_proof",),
    "round_key": ("round_key",),
    "dleq": ("dleq",),
    "shuffle_statement": ("shuffle_statement", "shuffle_verifier"),
    "shuffle_verifier": ("shuffle_verifier",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutation:
    """Replace the one occurrence of `old` in the source of `module` by `new`."""

    name: str
    module: str
    old: str
    new: str = ""

    def __str__(self) -> str:
        return f"{self.module}: {self.name}"


def source_of(module: str) -> str:
    path = import_module(f"{PACKAGE}.{module}").__file__
    assert path is not None
    return Path(path).read_text(encoding="utf-8")


def mutated_source(mutation: Mutation) -> str:
    """The changed source; fails unless exactly one place was changed."""
    source = source_of(mutation.module)
    assert source.count(mutation.old) == 1, f"{mutation}: {source.count(mutation.old)} places, 1 expected"
    changed = source.replace(mutation.old, mutation.new)
    assert changed != source
    return changed


def real_modules(module: str) -> dict[str, ModuleType]:
    """The program's own modules, in the form that `load` gives."""
    return {name: import_module(f"{PACKAGE}.{name}") for name in DEPENDENTS[module]}


def load(mutation: Mutation) -> dict[str, ModuleType]:
    """The mutated module and those that use it, by their short names."""
    real = {f"{PACKAGE}.{name}": module for name, module in real_modules(mutation.module).items()}
    loaded: dict[str, ModuleType] = {}
    try:
        for name in DEPENDENTS[mutation.module]:
            source = mutated_source(mutation) if name == mutation.module else source_of(name)
            module = ModuleType(f"{PACKAGE}.{name}")
            # While a dependent is loaded, the mutant stands in the real module's place.
            sys.modules[module.__name__] = module
            exec(compile(source, f"<{mutation}>", "exec"), module.__dict__)  # noqa: S102 - our own source.
            loaded[name] = module
    finally:
        sys.modules.update(real)
    return loaded
