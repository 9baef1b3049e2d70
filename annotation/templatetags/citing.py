"""Citations as links: `{{ response|citing:passages }}` leads each mark to its passage."""

import re
from collections.abc import Sequence
from itertools import count

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Passage, Response
from annotation.texts.citations import marks_in
from annotation.texts.markdown import rendered

register = template.Library()
NUMBER = re.compile(r"[0-9]+")
# Stand for a mark while Markdown is rendered; of each text those that it does not have.
PRIVATE = range(0xE000, 0xF8FF)


@register.filter
def citing(response: Response, passages: Sequence[Passage]) -> SafeString:
    """Safe HTML of a response whose citations lead to `#passage-n` on the same page.

    The marks stay as they are written; n is the place of the passage, from 0.
    """
    text = response.text
    sign = next((chr(code) for code in PRIVATE if chr(code) not in text), "")
    marks = marks_in(text, response.marks) if sign else ()
    pieces, last = [], 0
    for number, (start, end, *_) in zip(count(), marks, strict=False):
        pieces += [text[last:start], f"{sign}{number}{sign}"]
        last = end
    html = rendered("".join([*pieces, text[last:]]))

    def link(found: re.Match[str]) -> str:
        start, end, *places = marks[int(found[1])]
        return _linked(text[start:end], places, passages)

    # Cleaned before; only the links are put in.
    return mark_safe(re.sub(f"{sign}([0-9]+){sign}", link, html) if marks else html)


def _linked(written: str, places: Sequence[int], passages: Sequence[Passage]) -> str:
    """Return a mark whose numbers are links; one whose numbers do not say it is one link."""
    numbers = NUMBER.findall(written)
    left = iter(places)
    if len(numbers) == len(places) and "](" not in written:
        pieces = NUMBER.split(written)
        inner = format_html("{}", pieces[0])
        for number, rest in zip(numbers, pieces[1:], strict=True):
            inner += format_html("{}{}", _link(number, next(left), passages), rest)
    else:
        inner = _link(written.partition("](")[0].strip("["), places[0], passages)
        for place in places[1:]:
            inner += format_html(" {}", _link(f"{place}", place, passages))
    return format_html('<span class="cites">{}</span>', inner)  # one piece on a line


def _link(words: str, place: int, passages: Sequence[Passage]) -> SafeString:
    if place >= len(passages):
        return format_html("{}", words)
    passage = passages[place]
    return format_html(
        '<a class="cited" href="#passage-{}" title="{}">{}</a>',
        place,
        (passage.title or passage.text)[:200],
        words,
    )
