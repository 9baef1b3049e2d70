"""Texts of a corpus on a page: the same for participants, researchers and replay."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape

from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from annotation.corpora.images.shown import CorpusImages
from annotation.models import Corpus, Study
from annotation.texts.literal_spans import literal_spans
from annotation.texts.markdown import MARKDOWN, PREFORMATTED, Cited, Link, rendered

MAX_HEADING = 400  # characters
MAX_EXCERPT = 120
_BLOCK_END = re.compile(r"</(?:p|h[1-6]|li|pre|t[hd]|summary)>|\n\s*\n")
_MARKUP = re.compile(r"\n|\*\*|\]\(")


@dataclass(frozen=True)
class Heading:
    """A query as the heading of a page: `is_whole`, or the beginning of its words."""

    words: SafeString
    is_whole: bool


class ShownTexts:
    """Texts as a study shows them, or as Markdown on pages of a corpus.

    `address` is that of an image by its digest on these pages.
    """

    def __init__(
        self, of: Study | Corpus, address: Callable[[str], str], *, rendering: str = ""
    ) -> None:
        self.is_raw = rendering == PREFORMATTED
        self.rendering = rendering or (of.rendering if isinstance(of, Study) else MARKDOWN)
        self._images = CorpusImages(of.corpus_id if isinstance(of, Study) else of.pk, address)

    def html(
        self, text: str, *, name: object = "", cited: Cited | None = None, link: Link | None = None
    ) -> SafeString:
        """Return safe HTML of a text; `name` is its own on the page. See `rendered`."""
        return rendered(
            text,
            rendering=self.rendering,
            images=self._images,
            cited=cited,
            link=link,
            name=str(name),
        )

    def heading(self, query: str) -> Heading:
        """Return a query as a heading: whole if it is a line of plain words, as it is written."""
        query = query.strip()
        is_whole = (
            len(query) <= MAX_HEADING and not _MARKUP.search(query) and not literal_spans(query)
        )
        if is_whole:
            return Heading(escape(query), is_whole)
        words = _first_words(query, rendering=self.rendering)
        return Heading(escape(Truncator(words).chars(MAX_EXCERPT)), is_whole)


def query_words(query: str, *, rendering: str = MARKDOWN) -> str:
    """Return a query as a line of words, as lists and titles have it: without Markdown."""
    query = query.strip()
    if not _MARKUP.search(query) and not literal_spans(query):
        return query
    return _first_words(query, rendering=rendering)


def _first_words(query: str, *, rendering: str) -> str:
    """Return the words of the first block of a text."""
    shown = rendered(query) if rendering == MARKDOWN else escape(query)
    blocks = (unescape(strip_tags(block)) for block in _BLOCK_END.split(shown))
    return " ".join(next((block for block in blocks if block.strip()), query).split())
