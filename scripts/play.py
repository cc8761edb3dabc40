"""Play: `scripts/play.py [arguments]` makes `.venv` when needed, then runs `p2prummi play [arguments]`.

Written so that any Python can read this far and say that it is too old.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - this very line is what tells the user of an old Python
    message = "p2prummi needs Python 3.11 or newer, for example `python3.12 %s`; this is Python %d.%d."
    sys.exit(message % ((sys.argv[0],) + sys.version_info[:2]))  # noqa: RUF005 - old Pythons read it

import bootstrap

if __name__ == "__main__":
    sys.exit(bootstrap.main(bootstrap.RUNTIME_LOCK, ["-m", "p2prummi", "play"], sys.argv[1:]))
