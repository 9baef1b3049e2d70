"""Store the images of an import: those in its texts (data: addresses) and those beside them.

While its texts are read, those are counted that are not shown as in a chat window.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Length
from django.utils.translation import ngettext

from annotation.corpora.images.encoding import BadImage, encoded
from annotation.models import Corpus, CorpusImage, Passage, Response, Topic
from annotation.texts.literal_spans import literal_spans
from annotation.texts.markdown.images import (
    digest_of,
    embedded,
    host_of,
    image_addresses,
    name_of,
    shortened,
)
from annotation.texts.markdown.parser import MAX_LENGTH

EMPTY = ("img", "hr")  # tags that are not closed
MAX_IMAGES = 5_000  # of a corpus
MAX_TOTAL = 500_000_000  # bytes of the images of a corpus, as they are stored
HTML = (
    *("table", "img", "video", "audio", "iframe", "svg", "script", "style", "div", "span", "p"),
    *("ul", "ol", "li", "b", "i", "u", "strong", "em", "a", "font", "center", "blockquote"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "hr", "code", "pre"),
)
_TAG = re.compile(rf"<(?:{'|'.join(HTML)})(?:\s[^<>]*)?/?>", re.IGNORECASE)


@dataclass(frozen=True)
class LastTexts:
    """The newest texts of a corpus before an import."""

    response: int
    passage: int
    topic: int


@dataclass
class ImageCounts:
    """Texts of an import that are not shown as in a chat window, by the reason."""

    remote: int = 0
    missing: int = 0
    broken: int = 0
    html: int = 0
    long: int = 0

    @property
    def remarks(self) -> list[str]:
        """One sentence for each reason."""
        sentences = (
            (
                self.remote,
                ngettext(
                    "{count} text has remote images, shown as alternative text.",
                    "{count} texts have remote images, shown as alternative text.",
                    self.remote,
                ),
            ),
            (
                self.missing,
                ngettext(
                    "{count} text is missing image files.",
                    "{count} texts are missing image files.",
                    self.missing,
                ),
            ),
            (
                self.broken,
                ngettext(
                    "{count} text has images that are too large or not PNG, JPEG, GIF or WebP.",
                    "{count} texts have images that are too large or not PNG, JPEG, GIF or WebP.",
                    self.broken,
                ),
            ),
            (
                self.html,
                ngettext(
                    "{count} text shows HTML tags as text.",
                    "{count} texts show HTML tags as text.",
                    self.html,
                ),
            ),
            (
                self.long,
                ngettext(
                    "{count} text is too long to format and is shown as source.",
                    "{count} texts are too long to format and are shown as source.",
                    self.long,
                ),
            ),
        )
        return [sentence.format(count=f"{count:,}") for count, sentence in sentences if count]


def last_texts(corpus: Corpus) -> LastTexts:
    """Return the newest texts, so that only later ones are read."""
    passages = Passage.objects.filter(topic__corpus=corpus)
    return LastTexts(_last(corpus.responses.all()), _last(passages), _last(corpus.topics.all()))


def _last(rows: "QuerySet[Response] | QuerySet[Passage] | QuerySet[Topic]") -> int:
    return int(rows.aggregate(last=Max("pk"))["last"] or 0)


def store_images(
    *, corpus: Corpus, after: LastTexts, files: Iterable[tuple[str, bytes]] = ()
) -> ImageCounts:
    """Store the images of the texts after these, and image files by name; count what is missing.

    A name is the path of a file in the upload, as texts give it.
    """
    store, counts = _Store(corpus), ImageCounts()
    for name, content in files:
        store.take_file(name_of(name) or name, content)
    for text in _texts(corpus, after):
        addresses = image_addresses(text) if "![" in text else ()
        reasons = {reason for address in addresses if (reason := store.reason(address))}
        counts.remote += "remote" in reasons
        counts.missing += "missing" in reasons
        counts.broken += "broken" in reasons
        counts.html += _has_html(text)
        counts.long += len(text) > MAX_LENGTH and len(shortened(text).text) > MAX_LENGTH
    return counts


def _texts(corpus: Corpus, after: LastTexts) -> Iterator[str]:
    """Yield the new texts that may differ, and all earlier turns of conversations."""
    responses = corpus.responses.filter(pk__gt=after.response)
    passages = Passage.objects.filter(topic__corpus=corpus, pk__gt=after.passage)
    topics = corpus.topics.filter(pk__gt=after.topic)
    yield from _different(responses, "text")
    yield from _different(passages, "text")
    yield from _different(topics, "description")
    yield from _different(topics, "query")
    for rows in (responses, topics):
        for turns in rows.exclude(turns=None).values_list("turns", flat=True).iterator():
            yield from (turn["content"] for turn in turns or ())


def _different(rows: "QuerySet[Any]", field: str) -> Iterator[str]:
    signs = Q(**{f"{field}__contains": "!["}) | Q(**{f"{field}__contains": "</"})
    for tag in EMPTY:
        signs |= Q(**{f"{field}__icontains": f"<{tag}"})
    rows = rows.annotate(length=Length(field)).filter(signs | Q(length__gt=MAX_LENGTH))
    return rows.values_list(field, flat=True).iterator()


def _has_html(text: str) -> bool:
    """Return whether a text has such tags outside of its code."""
    places = [match.start() for match in _TAG.finditer(text)]
    code = literal_spans(text) if places else ()
    return any(not any(start <= place < end for start, end, _ in code) for place in places)


class _Store:
    """The images of a corpus while an import adds to them."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        rows = corpus.images.values_list("digest", "names")
        self._names = {digest: list(names) for digest, names in rows}
        self._files = {name for names in self._names.values() for name in names}
        self._broken: set[str] = set()
        self._broken_files: set[str] = set()
        self._total = 0

    def take(self, content: bytes) -> bool:
        """Store an image once; return whether it can be shown."""
        digest = digest_of(content)
        return digest in self._names or self._create(digest, content)

    def take_file(self, name: str, content: bytes) -> None:
        """Store an image file, once for all its names."""
        if name in self._files:
            return
        if not self.take(content):
            self._broken_files.add(name)
            return
        names = self._names[digest_of(content)]
        names.append(name)
        self._files.add(name)
        self._corpus.images.filter(digest=digest_of(content)).update(names=names)

    def _create(self, digest: str, content: bytes) -> bool:
        if digest in self._broken or len(self._names) >= MAX_IMAGES or self._total > MAX_TOTAL:
            return False
        try:
            image = encoded(content)
        except BadImage:
            self._broken.add(digest)
            return False
        CorpusImage.objects.create(
            corpus=self._corpus,
            digest=digest,
            media_type=image.media_type,
            width=image.width,
            height=image.height,
            content=image.content,
        )
        self._total += len(image.content)
        self._names[digest] = []
        return True

    def reason(self, address: str) -> str:
        """Return why the image at this address of a text is not shown, or an empty text."""
        if address.lower().startswith("data:"):
            content = embedded(address)
            return "" if content is not None and self.take(content) else "broken"
        if host_of(address):
            return "remote"
        name = name_of(address)
        if name in self._broken_files:
            return "broken"
        return "" if name in self._files else "missing"
