#!/usr/bin/env python
"""Crowdwright's command line: `python manage.py help` lists what it can do."""

import os
import sys
from pathlib import Path


def main() -> None:
    if sys.argv[1:2] == ["demo"]:  # before any setting is read
        from config import demo_world

        demo_world.enter(os.environ, beside=Path(__file__).resolve().parent / "var")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    if "makemigrations" not in sys.argv:  # which writes source, for everybody
        os.umask(0o077)  # what we write has names and texts of people in it
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
