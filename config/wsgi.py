"""WSGI entry point, served by granian."""

import os
from contextlib import suppress

from django.core.wsgi import get_wsgi_application
from django.db import DatabaseError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

os.umask(0o077)  # what we write has names and texts of people in it
_django = get_wsgi_application()

# Commands do without pandas and scipy; a server loads them before its first request, not in it.
from analysis import tasks  # noqa: E402, F401
from analysis.pages.exports import views as export_views  # noqa: E402, F401
from analysis.pages.results import views  # noqa: E402, F401
from annotation import marking  # noqa: E402
from config import memory, quiet_connections  # noqa: E402, F401
from config.saving import ShortPath  # noqa: E402
from config.structs import prepare_structs  # noqa: E402

with suppress(DatabaseError):  # it is not there yet; /ready says so, and of a wrong key too
    marking.require_key()
memory.remember_words()
prepare_structs()
application = ShortPath(_django)
memory.settle()
