"""Citations as links: `{% citing response passages texts %}` leads each mark to its passage."""

import re
from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.corpora.shown_texts import ShownTexts
from annotation.models import Passage, Response
from annotation.texts.citations import marks_in

register = template.Library()
NUMBER = re.compile(r"[0-9]+")
RAISED = re.compile(r"<sup>(.*)</sup>", re.IGNORECASE | re.DOTALL)


@register.simple_tag
def citing(response: Response, passages: Sequence[Passage], texts: ShownTexts) -> SafeString:
    """Safe HTML of a response whose citations lead to `#passage-n` on the same page.

    The marks stay as they are written; n is the place of the passage, from 0.
    """
    text = response.text
    marks = marks_in(text, response.marks)

    def link(number: int) -> SafeString:
        start, end, *places = marks[number]
        return _linked(text[start:end], places, passages)

    return texts.html(text, cited=marks, link=link)


def _linked(written: str, places: Sequence[int], passages: Sequence[Passage]) -> SafeString:
    """Return a mark whose numbers are links; one whose numbers do not say it is one link."""
    if raised := RAISED.fullmatch(written):
        return format_html("<sup>{}</sup>", _linked(raised[1], places, passages))
    numbers = NUMBER.findall(written)
    left = iter(places)
    if len(numbers) == len(places) and "](" not in written:
        pieces = NUMBER.split(written)
        inner = format_html("{}", pieces[0])
        for number, rest in zip(numbers, pieces[1:], strict=True):
            inner += format_html("{}{}", _link(number, next(left), passages), rest)
    else:
        label = f"[{written.partition('](')[0].strip('[]')}]" if "](" in written else written
        inner = _link(label, places[0], passages)
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
