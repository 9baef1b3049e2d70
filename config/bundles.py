"""Scripts and style sheets of participants' pages: one file in production, else as written."""

import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

IMPORT = re.compile(r'^(?:@import|import|export)\b[^"\';]*"(\.[^"]+)"', re.MULTILINE)
SHEET = '<link rel="stylesheet" href="{}">'
SCRIPT = '<script type="module" src="{}"></script>'
PRELOAD = '<link rel="modulepreload" href="{}">'


def tags_of(path: str) -> SafeString:
    """Return the tags that load a bundle; what it imports comes with it and not after it."""
    kind = SCRIPT if path.endswith(".js") else SHEET
    if settings.STATIC_BUNDLED:
        return format_html(kind, static(path))
    parts = [(static(part),) for part in dict.fromkeys(_imports(path))]
    if kind == SHEET:
        return format_html_join("\n", SHEET, parts)
    return format_html_join("", PRELOAD + "\n", parts) + format_html(SCRIPT, static(path))


def _imports(path: str) -> Iterator[str]:
    """All files that a static file imports, in their order."""
    source = Path(finders.find(path) or path).read_text(encoding="utf-8")
    for relative in IMPORT.findall(source):
        imported = posixpath.normpath(posixpath.join(posixpath.dirname(path), relative))
        yield from _imports(imported)
        yield imported
