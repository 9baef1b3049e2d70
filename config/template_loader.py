"""Loader of templates without indentation, which is a fifth of a page and shown nowhere."""

import re

from django.template import Origin
from django.template.loaders import filesystem

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    def get_contents(self, origin: Origin) -> str:
        contents = str(super().get_contents(origin))
        return INDENTATION.sub("", contents) if origin.name.endswith(".html") else contents
