"""Shortfalls of a text from its brief: length, and minimum time. Only reads.

Marks to look at, never a verdict: nothing is refused for them. How it was written is marked
elsewhere (writing.process.evidence); a text that is longer than was asked for is not marked.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, Q

from annotation.models import Assignment, Study
from annotation.texts.number_formats import span
from annotation.texts.sentences import Sentence, marked
from writing.models import Brief

SHORT, FAST = "short", "fast"  # the rules, as the queue calls them
SENTENCES = {
    SHORT: marked("{words} words, expected {low} to {high}"),
    FAST: marked("Submitted after {took}, expected at least {expected}"),
}


def rules(
    *, words: int, began: datetime | None, submitted: datetime | None, brief: Brief, least: int
) -> tuple[str, ...]:
    """Return the rules that flag a text; `least` is the minimum time of its study in seconds.

    Imported work without times begins and ends at the same moment, so its speed is unknown.
    """
    has_times = began is not None and submitted is not None and submitted > began
    fast = has_times and submitted - began < timedelta(seconds=least)  # type: ignore[operator]
    return (*((SHORT,) if words < brief.low_words else ()), *((FAST,) if fast else ()))


def marks_of(work: Assignment) -> list[Sentence]:
    """Return a sentence for each rule that flags this submission."""
    if work.submitted_at is None or not hasattr(work, "writing"):
        return []
    brief, least = work.study.brief, work.study.minimum_seconds
    broken_rules = rules(
        words=work.writing.words,
        began=work.started_at,
        submitted=work.submitted_at,
        brief=brief,
        least=least,
    )
    numbers: Mapping[str, Any] = {
        "words": work.writing.words,
        "low": brief.low_words,
        "high": brief.high_words,
        "took": span((work.submitted_at - work.started_at).total_seconds())
        if work.started_at
        else "",
        "expected": span(least),
    }
    return [Sentence(SENTENCES[rule], **numbers) for rule in broken_rules]


def is_marked(study: Study) -> Q:
    """Select the flagged assignments of a study by the same rules."""
    least = timedelta(seconds=study.minimum_seconds)
    timed = Q(submitted_at__gt=F("started_at"), submitted_at__lt=F("started_at") + least)
    return Q(writing__words__lt=study.brief.low_words) | timed
