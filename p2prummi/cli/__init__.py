"""The command line: argument parsing and composition, and nothing that another layer could need.

`main.py` is the door, `exit_codes.py` what a script may rely on, and each other module a command or a few
that belong together.
"""
