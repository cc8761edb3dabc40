"""`python -m p2prummi` is the command `p2prummi`."""

import sys

from p2prummi.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
