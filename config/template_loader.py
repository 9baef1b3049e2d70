"""Loaders of templates: without indentation, and compiled once a language.

Indentation is a fifth of a page and shown nowhere. Sentences are translated when a template is
compiled (`constant_tags`).
"""

import re

from django.template import Origin
from django.template.loaders import cached, filesystem
from django.utils.translation import get_language

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)


class Loader(filesystem.Loader):
    """Loads templates without their indentation."""

    def get_contents(self, origin: Origin) -> str:
        contents = str(super().get_contents(origin))
        return INDENTATION.sub("", contents) if origin.name.endswith(".html") else contents


class LanguageLoader(cached.Loader):
    """Remembers templates by language."""

    def cache_key(self, template_name: str, skip: list[Origin] | None = None) -> str:
        return f"{get_language()} {super().cache_key(template_name, skip)}"
