"""Test: `scripts/test.py [pytest arguments]` makes `.venv` when needed, with the test tools in it.

Without arguments every check of `checks.py` runs; with arguments, pytest alone with those.
Written so that any Python can read this far and say that it is too old.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this very line is what tells the user of an old Python
    message = "p2prummi needs Python 3.11 or newer, for example `python3.12 %s`; this is Python %d.%d."
    sys.exit(message % ((sys.argv[0],) + sys.version_info[:2]))  # noqa: RUF005 - old Pythons read it

import bootstrap

if __name__ == "__main__":
    program = ["-m", "pytest"] if sys.argv[1:] else [bootstrap.script("checks.py")]
    sys.exit(bootstrap.main(bootstrap.TEST_LOCK, program, sys.argv[1:]))
