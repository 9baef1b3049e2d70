"""The cached outline of a document, or the reason why it has none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from django.core.cache import cache
from django.utils.translation import get_language

from annotation.corpora.contents import State, state_of
from annotation.models import Corpus
from annotation.studies.creating import RefusedSetting
from annotation.studies.drafts.kinds import Outline, kind_of
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import BadInstrument
from annotation.texts.translation import translated_error

KEPT_SECONDS = 24 * 60 * 60
_MADE: ContextVar["dict[str, Outline | NoOutline] | None"] = ContextVar("made", default=None)


@dataclass(frozen=True)
class NoOutline:
    """Kept where nothing can be launched: to find that out takes as long."""

    sentence: str


def outline_of(document: Document, corpus: Corpus, state: State | None = None) -> Outline:
    """Return the outline. Raises as `StudyKind.outline` does.

    `state` is that of the corpus, if the caller has it.
    """
    key = _key(document, corpus, state)
    cached: Outline | NoOutline | None = cache.get(key)
    return (
        _made(document, corpus, key) if cached is None or isinstance(cached, NoOutline) else cached
    )


def outline_or_why(
    document: Document, corpus: Corpus, state: State | None = None
) -> tuple[Outline | None, str]:
    """Return the outline, or the sentence why there is none."""
    key = ""
    try:
        key = _key(document, corpus, state)
        cached: Outline | NoOutline | None = cache.get(key)
        if isinstance(cached, NoOutline):
            return None, cached.sentence
        return _made(document, corpus, key) if cached is None else cached, ""
    except (RefusedSetting, BadInstrument) as error:
        refused = NoOutline(translated_error(error))
    except kind_of(document.kind).refusals as error:
        refused = NoOutline(translated_error(error))
    if key:  # else nobody can say of what it is made
        _keep(key, refused)
    return None, refused.sentence


def cached_outlines(
    documents: Sequence[Document], corpus: Corpus, state: State
) -> list[Outline | NoOutline | None]:
    """Return what the cache has for each document, read at once."""
    keys = [_key(document, corpus, state) for document in documents]
    found = cache.get_many(keys)
    return [found.get(key) for key in keys]


def _made(document: Document, corpus: Corpus, key: str) -> Outline:
    outline = kind_of(document.kind).outline(document, corpus)
    _keep(key, outline)
    return outline


@contextmanager
def kept_together() -> Iterator[None]:
    """Cache the outlines that are made within at the end, at once."""
    made: dict[str, Outline | NoOutline] = {}
    token = _MADE.set(made)
    try:
        yield
    finally:
        _MADE.reset(token)
        if made:
            cache.set_many(made, KEPT_SECONDS)


def _keep(key: str, outline: Outline | NoOutline) -> None:
    made = _MADE.get()
    if made is None:
        cache.set(key, outline, KEPT_SECONDS)
    else:
        made[key] = outline


def _key(document: Document, corpus: Corpus, state: State | None) -> str:
    """Return the cache key; outlines have sentences of one language."""
    return f"outline-4:{get_language()}:{digest_of(document, corpus, state)}"


def digest_of(document: Document, corpus: Corpus, state: State | None = None) -> str:
    """Return the digest of all that a design is made from; a new title changes nothing."""
    drawn = kind_of(document.kind).sources.state(document)
    untitled = msgspec.structs.replace(document, title="", slug="", contact="")
    digest_input = (untitled, state or state_of(corpus), drawn)
    return sha256(msgspec.json.encode(digest_input)).hexdigest()
