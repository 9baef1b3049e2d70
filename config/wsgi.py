"""WSGI entry point, served by granian."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

os.umask(0o077)  # what we write has names and texts of people in it
application = get_wsgi_application()
