#!/usr/bin/env python
"""Crowdwright's command line: `python manage.py help` lists what it can do."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    if "makemigrations" not in sys.argv:  # which writes source, for everybody
        os.umask(0o077)  # what we write has names and texts of people in it
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
