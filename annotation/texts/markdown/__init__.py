"""Texts as safe HTML, as a chat window shows them. Texts come from anywhere: nothing in them acts.

    rendered(response.text)                                   Markdown with formulas
    rendered(text, rendering=study.rendering, images=images)  as a study shows its texts

The parser makes tokens (`parser` and the rules beside it), and nh3 cleans the HTML of them
(`cleaning`). Formulas are typeset by the browser: static/js/formulas.js.
"""

from functools import lru_cache
from typing import Any

from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString, mark_safe

from annotation.texts.markdown.cleaning import cleaned
from annotation.texts.markdown.images import Images, ShownImage
from annotation.texts.markdown.parser import Marks, TooMuch, parser

__all__ = ["MARKDOWN", "Images", "Marks", "ShownImage", "rendered"]

MARKDOWN, PLAIN, PREFORMATTED = "markdown", "plain", "preformatted"
MAX_REMEMBERED = 10_000  # characters; the cache holds 2,048 texts, each shown to several workers
MAX_LENGTH = 500_000  # characters; what is longer is shown as it was written
_parser = parser()


def rendered(
    text: str,
    *,
    rendering: str = MARKDOWN,
    images: Images | None = None,
    marks: Marks | None = None,
    name: str = "",
) -> SafeString:
    """Return safe HTML of a text; raw HTML in it is shown as text.

    `name` is that of the text on its page: the ids of its footnotes start with it. `marks` finds
    pieces of its plain text, never of code, formulas or links, and gives safe HTML for them.
    """
    if rendering == PLAIN:
        return mark_safe(linebreaks(text, autoescape=True))  # escaped in this line
    if rendering == PREFORMATTED or len(text) > MAX_LENGTH:
        return _as_written(text)
    name = name if "[^" in text else ""
    images = images if "![" in text else None
    if images or marks or len(text) > MAX_REMEMBERED:
        return _rendered(text, name, images, marks)
    return _remembered(text, name)


def _rendered(
    text: str, name: str, images: Images | None = None, marks: Marks | None = None
) -> SafeString:
    env: dict[str, Any] = {"name": name, "images": images, "marks": marks}
    try:
        html = _parser.render(text, env)
    except TooMuch:
        return _as_written(text)
    return mark_safe(cleaned(html))


def _as_written(text: str) -> SafeString:
    return mark_safe(f'<div class="as-written" dir="auto">{escape(text)}</div>')  # escaped here


_remembered = lru_cache(maxsize=2048)(_rendered)
