"""Estimated minutes of a task of a draft, and the least time that follows. Only reads.

A method of writing says its own minutes: they are taken unless reading and writing take longer.
"""

from dataclasses import dataclass
from hashlib import sha256

import msgspec
from django.core.cache import cache

from annotation.corpora.contents import State, state_of
from annotation.models import Corpus, Draft
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import Outline, kind_of
from annotation.studies.drafts.plan_results import digest_of_design
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import KEPT_SECONDS, outline_or_why

# The least plausible share of the estimate. A third is 714 words a minute, which is more than
# people read even where they only scan for a word (600: Carver, Reading Rate, 1990). 1.9% of the
# 369 timed participants of Gienapp et al. (2025) were faster than a third.
LEAST_SHARE = 1 / 3
# Where a fault keeps a draft from being counted.
COUNTED = ("instruments", "design", "corpus", "onboarding")


@dataclass(frozen=True)
class TaskWork:
    """The estimated work of a task: reading minutes, answers, whole minutes, writing minutes."""

    reading: float
    answers: float
    minutes: int
    writing: float = 0.0

    @property
    def least_seconds(self) -> int:
        return least_seconds(self.minutes)


def least_seconds(minutes: int) -> int:
    """Return the shortest plausible time for work that takes this long with care."""
    return round(60 * minutes * LEAST_SHARE)


def work_in(outline: Outline) -> TaskWork | None:
    """Return the work of a task; None without counted questions and without writing."""
    writing = outline.writing_minutes
    if not outline.answers and not writing:
        return None
    minutes = max(1, outline.careful_minutes)
    return TaskWork(outline.reading_minutes, outline.answers, minutes, writing)


def suggested_minutes(work: TaskWork, *, usual: int) -> int:
    """Return the minutes to announce; `usual` are those of the method, 0 if it is new."""
    return max(work.minutes, usual) if work.writing else work.minutes


def work_of(document: Document, *, draft: Draft) -> TaskWork | None:
    """Return the work of a document of this draft, or None if nothing can be counted.

    Cached until the items change; texts of pages, pay and time do not matter.
    """
    corpus = _corpus(document, draft)
    if corpus is None:
        return None
    state = state_of(corpus)
    key = _key(document, corpus, state)
    cached: TaskWork | None = cache.get(key)
    if cached is not None:
        return cached
    faults = faults_of(document, draft=draft)
    if any(fault.path.partition("/")[0] in COUNTED for fault in faults):
        return None
    outline, _ = outline_or_why(document, corpus, state)
    work = work_in(outline) if outline else None
    if work is not None:
        cache.set(key, work, KEPT_SECONDS)
    return work


def _corpus(document: Document, draft: Draft) -> Corpus | None:
    if draft.corpus is not None and draft.corpus.slug == document.corpus:
        return draft.corpus
    return Corpus.objects.filter(slug=document.corpus).first()


def _key(document: Document, corpus: Corpus, state: State) -> str:
    drawn = kind_of(document.kind).sources.state(document)
    digest_input = (digest_of_design(document, corpus, state), drawn)
    return f"work-4:{sha256(msgspec.json.encode(digest_input)).hexdigest()}"
