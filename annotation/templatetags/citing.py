"""Citations as links: `{% citing text passages corpus %}` leads each [n] to its passage."""

import re
from collections.abc import Iterator, Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from annotation.console.image_addresses import image_address
from annotation.corpora.images.shown import CorpusImages
from annotation.models import Corpus, Passage, Study
from annotation.texts.citations import CITATION
from annotation.texts.markdown import MARKDOWN, rendered

register = template.Library()
NUMBER = re.compile(r"[0-9]+")


@register.simple_tag
def citing(text: str, passages: Sequence[Passage], of: Study | Corpus) -> SafeString:
    """Safe HTML of a text whose citations lead to `#passage-n` on the same page.

    A study decides how its texts are shown; on pages of a corpus they are Markdown.
    """

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

    corpus = of.corpus_id if isinstance(of, Study) else of.pk
    return rendered(
        text,
        rendering=of.rendering if isinstance(of, Study) else MARKDOWN,
        marks=marks,
        images=CorpusImages(corpus, image_address(of)),
    )
