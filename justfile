# The single door to everything that a developer does. `just` alone lists the doors.

system_python := if os_family() == "windows" { "py -3" } else { "python3" }
python := if os_family() == "windows" { ".venv/Scripts/python.exe" } else { ".venv/bin/python" }
locking := "--universal --python-version 3.11 --generate-hashes --group build --no-config --no-emit-index-url --no-emit-find-links --custom-compile-command 'just lock' --quiet"

_list:
    @just --list

# Everything that must hold: formatting, lint, types, layers, tests, coverage floors, vectors.
check:
    {{system_python}} scripts/test.py

# Some tests, quickly: `just test tests/rules -k joker`.
test *ARGS="tests":
    {{system_python}} scripts/test.py {{ARGS}}

# Format, and mend what the linter can mend.
format:
    {{python}} -m ruff format
    {{python}} -m ruff check --fix

# The console.
play *ARGS:
    {{system_python}} scripts/play.py {{ARGS}}

# Where coverage is missing, line by line, after `just check`.
coverage:
    {{python}} -m coverage report --show-missing --skip-covered

# Make both lock files anew (needs `uv`); `just lock --upgrade` takes newer versions.
lock *ARGS:
    uv pip compile pyproject.toml {{locking}} {{ARGS}} --output-file requirements.lock
    uv pip compile pyproject.toml {{locking}} {{ARGS}} --extra test --constraints requirements.lock --output-file requirements-test.lock
