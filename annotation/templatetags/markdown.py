"""Markdown in templates: `{{ study.consent|markdown:2 }}` makes its highest heading an h2."""

import re

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe

from annotation.corpora import shown_texts
from annotation.corpora.shown_texts import ShownTexts
from annotation.templatetags.shortened import truncatechars
from annotation.texts.citations import written_marks
from annotation.texts.markdown import MARKDOWN, Cited, rendered

register = template.Library()
MAX_WORDS = 400  # characters of a query
HEADING = re.compile(r"(</?h)([1-6])(?=[ >])")
# As instructions that come along, in either language, call the table of the keys of their pages.
KEYS = re.compile(r'<(h[1-6]) dir="auto">(Keyboard|Tastatur)</\1>\s*<div class="wide">')


@register.filter
def markdown(text: str, level: int | None = None) -> SafeString:
    """Safe HTML of a Markdown text; with `level` its headings start there, without a gap."""
    html = rendered(text or "")
    levels = sorted({int(digit) for _, digit in HEADING.findall(html)})
    if level is None or not levels:
        return html
    moved = {str(old): min(level + n, 6) for n, old in enumerate(levels)}
    shifted = HEADING.sub(lambda match: f"{match[1]}{moved[match[2]]}", html)
    return mark_safe(shifted)  # only the digits of tags changed


@register.simple_tag
def shown(
    text: str, texts: ShownTexts, number: object = "", cited: Cited | None = None
) -> SafeString:
    """Safe HTML of a foreign text, as its study shows texts; `number` is its own on the page."""
    return texts.html(text, name=f"passage-{number}", cited=cited)


@register.simple_tag(takes_context=True)
def query_words(context: Context, query: str, most: int = MAX_WORDS) -> str:
    """Return a query in a list or a title, as the study of the page shows texts."""
    rendering = getattr(context.get("study"), "rendering", MARKDOWN)
    words = shown_texts.query_words(query or "", rendering=rendering)
    return str(truncatechars(words, most))


@register.simple_tag
def handed_in(text: str, texts: ShownTexts) -> SafeString:
    """Safe HTML of a text of our editor, as its study shows it to judges."""
    return texts.html(text, name="handed-in", cited=written_marks(text))


@register.filter
def without_keys_on_touch(html: SafeString) -> SafeString:
    """Instructions whose table of keys is not shown where there is no keyboard."""
    hidden = r'<\1 class="no-touch" dir="auto">\2</\1><div class="wide no-touch">'
    return mark_safe(KEYS.sub(hidden, html))
