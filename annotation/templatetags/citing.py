"""Citations as links: `{{ response.text|citing:passages }}` leads each [n] to its passage."""

import re
from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.models import Passage
from annotation.texts.citations import CITATION
from annotation.texts.markdown import rendered

register = template.Library()
NUMBER = re.compile(r"[0-9]+")


@register.filter
def citing(text: str, passages: Sequence[Passage]) -> SafeString:
    """Safe HTML of a Markdown text whose citations lead to `#passage-n` on the same page."""

    def link(number_match: re.Match[str]) -> str:
        number = int(number_match[0])
        if number >= len(passages):
            return number_match[0]
        passage = passages[number]
        return format_html(
            '<a class="cited" href="#passage-{}" title="{}">{}</a>',
            number,
            (passage.title or passage.text)[:200],
            number,
        )

    def marks(words: str) -> Iterator[tuple[int, int, str]]:
        for match in CITATION.finditer(words):
            # One piece on a line.
            yield *match.span(), f'<span class="cites">{NUMBER.sub(link, match[0])}</span>'

    return rendered(text, marks=marks)
