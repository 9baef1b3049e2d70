"""What the launch of a document would make, kept until the document or its corpus changes."""

from hashlib import sha256

import msgspec
from django.core.cache import cache
from django.utils.translation import get_language

from annotation.corpora.contents import state_of
from annotation.drafts.kinds import Outline, kind_of
from annotation.drafts.schema import Document
from annotation.models import Corpus
from annotation.studies.instruments import BadInstrument
from annotation.studies.planning import BadSetting

KEPT_SECONDS = 24 * 60 * 60


def outline_of(document: Document, corpus: Corpus) -> Outline:
    """Raises as `StudyKind.outline` does; that is not kept."""
    # Its notes are sentences of one language.
    key = f"outline:{get_language()}:{digest_of(document, corpus)}"
    kept: Outline | None = cache.get(key)
    if kept is None:
        kept = kind_of(document.kind).outline(document, corpus)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def outline_or_why(document: Document, corpus: Corpus) -> tuple[Outline | None, str]:
    """What a launch would make, or the sentence why it cannot be."""
    try:
        return outline_of(document, corpus), ""
    except (BadSetting, BadInstrument) as error:
        return None, str(error)
    except kind_of(document.kind).refusals as error:
        return None, str(error)


def digest_of(document: Document, corpus: Corpus) -> str:
    """Of all that a design is made from."""
    drawn = kind_of(document.kind).sources.state(document)
    seen = (document, state_of(corpus), drawn)
    return sha256(msgspec.json.encode(seen)).hexdigest()
