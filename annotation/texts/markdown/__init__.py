"""Texts as safe HTML, as a chat window shows them. Texts come from anywhere: nothing in them acts.

    rendered(response.text)                                   Markdown with formulas
    rendered(text, rendering=study.rendering, images=images)  as a study shows its texts

A text keeps every byte: what is not shown as in a chat window is shown as it was written.

The parser makes tokens (`parser` and the rules beside it), and nh3 cleans the HTML of them
(`cleaning`). Formulas are typeset by the browser: static/js/formulas.js.
"""

from functools import lru_cache
from typing import Any

from django.utils.html import escape, linebreaks
from django.utils.safestring import SafeString, mark_safe

from annotation.texts.markdown.cleaning import cleaned
from annotation.texts.markdown.images import Images, ShownImage, shortened
from annotation.texts.markdown.parser import Marks, TooMuch, parser

__all__ = ["MARKDOWN", "Images", "Marks", "ShownImage", "rendered"]

MARKDOWN, PLAIN, PREFORMATTED = "markdown", "plain", "preformatted"
MAX_REMEMBERED = 10_000  # characters; the cache holds 2,048 texts, each shown to several workers
MAX_LENGTH = 200_000  # characters; what is longer is shown as it was written
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
        return mark_safe(linebreaks(_escaped(text, marks)))
    if rendering == PREFORMATTED:
        return _as_written(text, marks)
    name = name if "[^" in text else ""
    images = images if "![" in text else None
    if images or marks or len(text) > MAX_REMEMBERED:
        return _rendered(text, name, images, marks)
    return _remembered(text, name)


def _rendered(
    text: str, name: str, images: Images | None = None, marks: Marks | None = None
) -> SafeString:
    env: dict[str, Any] = {"name": name, "images": images, "marks": marks}
    source, originals = shortened(text)
    if len(source) > MAX_LENGTH:
        return _as_written(text, marks)
    try:
        html = cleaned(_parser.render(source, env))
    except TooMuch:
        return _as_written(text, marks)
    for short, original in originals.items():  # of those in code, which are no images
        html = html.replace(short, escape(original))
    return mark_safe(html)


def _as_written(text: str, marks: Marks | None) -> SafeString:
    return mark_safe(f'<div class="as-written" dir="auto">{_escaped(text, marks)}</div>')


def _escaped(text: str, marks: Marks | None) -> str:
    pieces, at = [], 0
    for start, end, html in marks(text) if marks else ():
        pieces += [escape(text[at:start]), html]
        at = end
    return "".join([*pieces, escape(text[at:])])


_remembered = lru_cache(maxsize=2048)(_rendered)
