"""Citations as links: `{{ response.text|citing:passages }}` leads each [n] to its passage."""

import re
from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Passage
from annotation.texts.citations import CITATION
from annotation.texts.markdown import rendered

register = template.Library()
TAG = re.compile(r"(<[^>]*>)")
NUMBER = re.compile(r"[0-9]+")


@register.filter
def citing(text: str, passages: Sequence[Passage]) -> SafeString:
    """Safe HTML of a Markdown text whose citations lead to `#passage-n` on the same page."""

    def link(found: re.Match[str]) -> str:
        number = int(found[0])
        if number >= len(passages):
            return found[0]
        passage = passages[number]
        return format_html(
            '<a class="cited" href="#passage-{}" title="{}">{}</a>',
            number,
            (passage.title or passage.text)[:200],
            number,
        )

    def links(found: re.Match[str]) -> str:
        return f'<span class="cites">{NUMBER.sub(link, found[0])}</span>'  # one piece on a line

    # Every second piece is a tag; what stands in one is no text.
    pieces = TAG.split(rendered(text))
    pieces[::2] = [CITATION.sub(links, piece) for piece in pieces[::2]]
    return mark_safe("".join(pieces))  # cleaned before; only the links above were put in
