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

from annotation.texts.markdown.cleaning import cleaned, link_opened
from annotation.texts.markdown.images import Images, ShownImage, shortened
from annotation.texts.markdown.parser import MAX_LENGTH, TooMuch, parser
from annotation.texts.markdown.stand_ins import Cited, Link, StandIns

__all__ = ["MARKDOWN", "PREFORMATTED", "Cited", "Images", "Link", "ShownImage", "rendered"]

MARKDOWN, PLAIN, PREFORMATTED = "markdown", "plain", "preformatted"
MAX_REMEMBERED = 10_000  # characters; the cache holds 2,048 texts, each shown to several workers
_parser = parser()
_parser.add_render_rule("link_open", link_opened)


def rendered(
    text: str,
    *,
    rendering: str = MARKDOWN,
    images: Images | None = None,
    cited: Cited | None = None,
    link: Link | None = None,
    name: str = "",
) -> SafeString:
    """Return safe HTML of a text; raw HTML in it is shown as text.

    `name` is that of the text on its page: the ids of its footnotes start with it. `cited` are the
    citations of the text, which no Markdown changes; `link` gives safe HTML for each of them that
    is plain text, never code, a formula or in a link.
    """
    if rendering in (PLAIN, PREFORMATTED):
        return _as_written(StandIns(text, cited, link), is_plain=rendering == PLAIN)
    name = name if "[^" in text else ""
    images = images if "![" in text else None
    spans = tuple((mark[0], mark[1]) for mark in cited or ())
    if images or link or len(text) > MAX_REMEMBERED:
        return _rendered(text, name, spans, images, link)
    return _remembered(text, name, spans)


def _rendered(
    text: str, name: str, cited: Cited, images: Images | None = None, link: Link | None = None
) -> SafeString:
    words = StandIns(text, cited, link)
    env: dict[str, Any] = {"name": name, "images": images, "marks": words.marks}
    short = shortened(words.text)
    if len(short.text) > MAX_LENGTH:
        return _as_written(words)
    try:
        html = cleaned(_parser.render(short.text, env))
    except TooMuch:
        return _as_written(words)
    for name_of_image, original in short.originals.items():  # of those in code, which are no images
        html = html.replace(name_of_image, escape(original))
    return mark_safe(words.put_back(html))


def _as_written(words: StandIns, *, is_plain: bool = False) -> SafeString:
    pieces, at = [], 0
    for start, end, html in words.marks(words.text):
        pieces += [escape(words.text[at:start]), html]
        at = end
    escaped = "".join([*pieces, escape(words.text[at:])])
    if is_plain:
        return mark_safe(linebreaks(escaped))
    return mark_safe(f'<div class="as-written" dir="auto">{escaped}</div>')


_remembered = lru_cache(maxsize=2048)(_rendered)
