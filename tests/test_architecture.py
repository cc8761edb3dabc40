"""What `docs/ARCHITECTURE.md` promises about imports and about the form of the code, beyond the layers.

The layers themselves are import-linter's, in `pyproject.toml`. Here: where each foreign library is used, what
no layer below `net` may touch (clocks, sockets, threads, the system's randomness), and the marks of form that
a reader relies on. Each rule is a function from source to faults, tried on bad source too.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "p2prummi"

# Each foreign library has one module a layer that uses it; the console, which is all about its library, may
# use it everywhere (`.*`).
LIBRARY_HOMES: dict[str, tuple[str, ...]] = {
    "btclib_secp256k1": ("p2prummi.crypto.group",),
    "cryptography": ("p2prummi.crypto.signing", "p2prummi.net.tls"),
    "distributed": ("p2prummi.arena.cluster",),
    "ifaddr": ("p2prummi.net.addresses",),
    "msgpack": ("p2prummi.wire.encoding",),
    "platformdirs": ("p2prummi.net.identity",),
    "prompt_toolkit": ("p2prummi.console.*",),
    "shtab": ("p2prummi.cli.completion",),
    "spake2": ("p2prummi.crypto.room_code",),
    "zeroconf": ("p2prummi.net.discovery",),
}
PURE_LAYERS = frozenset(
    {"errors", "rules", "crypto", "wire", "transcript", "solver", "session", "verifier", "bots"}
)
# Time and entropy are arguments there, and heavy work is handed out.
IMPURE_MODULES = frozenset(
    {
        "asyncio", "concurrent", "datetime", "multiprocessing", "os", "random", "secrets", "select",
        "selectors", "signal", "socket", "ssl", "subprocess", "tempfile", "threading", "time", "uuid",
    }
)  # fmt: skip
# Strategies are given a `random.Random`, so bots may name the type.
TYPES_ONLY = {"bots": frozenset({"random"})}
FUNCTION_LINES_MAX = 80
FILE_LINES_MAX = 450
SUPPRESSION = re.compile(
    r"#\s*(?:noqa|type:\s*ignore|pragma:\s*no (?:cover|branch)|fmt:\s*off)\b(?P<rest>.*)"
)
CODES = re.compile(r"^\s*(?::\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*|\[[a-z-]+(?:\s*,\s*[a-z-]+)*\])?[\s,#-]*")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b|\bNotImplementedError\b")


@dataclass(frozen=True)
class Module:
    """One module of the package: its dotted name and its source."""

    name: str
    source: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)

    @property
    def layer(self) -> str:
        return self.name.split(".")[1] if "." in self.name else ""


def package_modules() -> list[Module]:
    modules = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        modules.append(Module(name, path.read_text(encoding="utf-8")))
    return modules


MODULES = package_modules()
each_module = pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in {"TYPE_CHECKING", "typing.TYPE_CHECKING"}


def imported(tree: ast.AST, *, types_too: bool) -> Iterator[str]:
    """Yield the top-level name of each absolute import; those for type checking only if `types_too`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").split(".")[0]
        elif types_too or not is_type_checking(node):
            yield from imported(node, types_too=types_too)
        elif isinstance(node, ast.If):
            yield from imported(ast.Module(node.orelse, []), types_too=types_too)


def impure_imports(module: Module) -> set[str]:
    """Return the modules of clocks, sockets, threads and chance that a pure layer imports."""
    if module.layer not in PURE_LAYERS:
        return set()
    types_only = TYPES_ONLY.get(module.layer, frozenset())
    at_run_time = set(imported(module.tree, types_too=False))
    anywhere = set(imported(module.tree, types_too=True))
    return (anywhere & IMPURE_MODULES - types_only) | (at_run_time & IMPURE_MODULES)


def foreign_imports(module: Module) -> set[str]:
    known = sys.stdlib_module_names | {"p2prummi", "__future__"}
    return set(imported(module.tree, types_too=True)) - known


def is_at_home(name: str, homes: tuple[str, ...]) -> bool:
    return any(name == home or (home.endswith(".*") and name.startswith(home[:-1])) for home in homes)


def library_faults(modules: list[Module]) -> list[str]:
    """Return a sentence for each import of a foreign library outside its homes."""
    return [
        f"{module.name} imports {library}"
        for module in modules
        for library in sorted(foreign_imports(module))
        if not is_at_home(module.name, LIBRARY_HOMES.get(library, ()))
    ]


def bare_suppressions(source: str) -> list[int]:
    """Return the lines on which a check is switched off without a reason."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [(token.start[0], token.string) for token in tokens if token.type == tokenize.COMMENT]
    found = ((line, SUPPRESSION.search(comment)) for line, comment in comments)
    return [line for line, match in found if match and not CODES.sub("", match["rest"], count=1).strip()]


def long_functions(module: Module) -> list[str]:
    return [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.end_lineno is not None
        and node.end_lineno - node.lineno >= FUNCTION_LINES_MAX
    ]


@each_module
def test_pure_layers_have_no_clock_socket_thread_or_chance(module: Module) -> None:
    assert impure_imports(module) == set()


def test_each_foreign_library_stays_in_its_home() -> None:
    assert library_faults(MODULES) == []


def test_the_homes_are_those_of_the_declared_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["scheduler"]]
    names = {re.split(r"[^\w-]", line, maxsplit=1)[0] for line in lines}
    assert {name.replace("-", "_") for name in names} == set(LIBRARY_HOMES)


def test_every_folder_of_modules_is_a_package() -> None:
    folders = {path.parent for path in PACKAGE.rglob("*.py")}
    bare = [str(folder.relative_to(ROOT)) for folder in folders if not (folder / "__init__.py").exists()]
    # Coverage and import-linter see only packages: a folder without the file would escape both.
    assert sorted(bare) == []


@each_module
def test_a_module_opens_with_what_it_decides(module: Module) -> None:
    assert ast.get_docstring(module.tree)


@each_module
def test_functions_and_files_can_be_taken_in(module: Module) -> None:
    assert long_functions(module) == []
    assert len(module.source.splitlines()) <= FILE_LINES_MAX


@pytest.mark.parametrize("folder", ["p2prummi", "scripts", "tests"])
def test_nothing_is_switched_off_without_a_reason(folder: str) -> None:
    bare = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / folder).rglob("*.py"))
        if (lines := bare_suppressions(path.read_text(encoding="utf-8")))
    }
    assert bare == {}


@each_module
def test_nothing_is_left_for_another_day(module: Module) -> None:
    assert UNFINISHED.findall(module.source) == []


@pytest.mark.parametrize(
    ("name", "source", "faults"),
    [
        ("p2prummi.session.link", "import time", {"time"}),
        ("p2prummi.session.link", "from asyncio.queues import Queue", {"asyncio"}),
        ("p2prummi.rules.deep", "def shuffle():\n    import random", {"random"}),
        ("p2prummi.verifier", "try:\n    import ssl\nexcept ImportError:\n    pass", {"ssl"}),
        ("p2prummi.bots.easy", "import random", {"random"}),
        ("p2prummi.bots.easy", "if TYPE_CHECKING:\n    import random", set()),
        ("p2prummi.bots.easy", "if TYPE_CHECKING:\n    pass\nelse:\n    import random", {"random"}),
        ("p2prummi.solver.best", "if TYPE_CHECKING:\n    import random", {"random"}),
        ("p2prummi.net.driver", "import time", set()),
    ],
)
def test_impure_imports_are_found(name: str, source: str, faults: set[str]) -> None:
    assert impure_imports(Module(name, source)) == faults


def test_strayed_libraries_are_found() -> None:
    modules = [
        Module("p2prummi.wire.encoding", "import msgpack"),
        Module("p2prummi.wire.encoding_two", "import msgpack"),
        Module("p2prummi.net.tls", "from cryptography.x509 import Name"),
        Module("p2prummi.net.driver", "def deep():\n    from cryptography.x509 import Name"),
        Module("p2prummi.console.table.view", "import prompt_toolkit"),
        Module("p2prummi.console.lobby.view", "import prompt_toolkit, numpy"),
        Module("p2prummi.consoles", "if TYPE_CHECKING:\n    import prompt_toolkit"),
    ]
    assert library_faults(modules) == [
        "p2prummi.wire.encoding_two imports msgpack",
        "p2prummi.net.driver imports cryptography",
        "p2prummi.console.lobby.view imports numpy",
        "p2prummi.consoles imports prompt_toolkit",
    ]


def test_bare_suppressions_are_found() -> None:
    mark = "# no" + "qa"
    ignore = "# type: " + "ignore"
    bare = [
        mark,
        f"{mark}: S101",
        f"{mark}: S101, S102",
        ignore,
        f"{ignore}[arg-type]",
        "# pragma: " + "no cover",
    ]
    reasoned = [
        f"{mark}: S101 - a reason",
        f"{ignore}[arg-type]  # a reason",
        "# pragma: " + "no cover - a reason",
    ]
    source = "\n".join(f"x = 1  {comment}" for comment in [*bare, *reasoned])
    assert bare_suppressions(source) == list(range(1, len(bare) + 1))


def test_long_functions_are_found() -> None:
    body = "    pass\n" * FUNCTION_LINES_MAX
    assert long_functions(Module("p2prummi.rules.deep", f"def long():\n{body}")) == ["long: 81 lines"]
    assert long_functions(Module("p2prummi.rules.deep", f"def short():\n{body[9:]}")) == []
