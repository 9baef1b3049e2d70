"""Citations as links: `{% citing response passages corpus %}` leads each mark to its passage."""

import re
from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from annotation.console.image_addresses import image_address
from annotation.corpora.images.shown import CorpusImages
from annotation.models import Corpus, Passage, Response, Study
from annotation.texts.citations import marks_in
from annotation.texts.markdown import MARKDOWN, rendered

register = template.Library()
NUMBER = re.compile(r"[0-9]+")
# Stand for a mark while Markdown is rendered; of each text one that it does not have.
PRIVATE = range(0xE000, 0xF8FF)


@register.simple_tag
def citing(response: Response, passages: Sequence[Passage], of: Study | Corpus) -> SafeString:
    """Safe HTML of a response whose citations lead to `#passage-n` on the same page.

    The marks stay as they are written; n is the place of the passage, from 0. A study decides how
    its texts are shown; on pages of a corpus they are Markdown.
    """
    text = response.text
    sign = next((chr(code) for code in PRIVATE if chr(code) not in text), "")
    marks = marks_in(text, response.marks) if sign else ()
    stand_in = re.compile(f"{sign}([0-9]+){sign}")
    pieces, last = [], 0
    for number, mark in enumerate(marks):
        pieces += [text[last : mark[0]], f"{sign}{number}{sign}"]
        last = mark[1]

    def links(words: str) -> Iterator[tuple[int, int, str]]:
        for match in stand_in.finditer(words):
            start, end, *places = marks[int(match[1])]
            yield *match.span(), _linked(text[start:end], places, passages)

    def written(match: re.Match[str]) -> str:
        start, end, *_ = marks[int(match[1])]
        return escape(text[start:end])

    corpus = of.corpus_id if isinstance(of, Study) else of.pk
    html = rendered(
        "".join([*pieces, text[last:]]),
        rendering=of.rendering if isinstance(of, Study) else MARKDOWN,
        marks=links,
        images=CorpusImages(corpus, image_address(of)),
    )
    # Cleaned before; of a mark in an attribute the words are put back.
    return mark_safe(stand_in.sub(written, html)) if marks else html


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
