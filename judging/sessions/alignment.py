"""Times at which a participant saw each page, from saved answers. Only reads.

A saved answer has the time since its page appeared, so the page was visible from then until the
answer was saved. Between two pages, the first one counts as visible until the second appears.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from annotation.models import Assignment
from judging.models import Judgment, ModeratedSession, Presentation, SessionNote, Utterance

Key = tuple[int, int]  # item and instrument


@dataclass(frozen=True)
class PageVisit:
    """A visit of a page; times are seconds from consent. `end` is None while they work."""

    position: int
    item: int
    instrument: int
    start: float
    end: float | None


def visits_of(work: Assignment) -> list[PageVisit]:
    """Return the visits of pages in order."""
    if work.started_at is None:
        return []
    pages = {
        (page.item_id, page.instrument_id): page
        for page in Presentation.objects.filter(assignment=work)
    }
    moments = [moment for moment in _appearances(work) if moment[1] in pages]
    if not moments:
        return []
    starts = [moments[0], *(after for before, after in pairwise(moments) if before[1] != after[1])]
    ended = work.submitted_at or work.ended_at
    ends = [*(at for at, _ in starts[1:]), ended and max(ended, starts[-1][0])]
    return [
        PageVisit(
            pages[page].position,
            *page,
            _since(work.started_at, at),
            None if end is None else _since(work.started_at, end),
        )
        for (at, page), end in zip(starts, ends, strict=True)
    ]


def _appearances(work: Assignment) -> list[tuple[datetime, Key]]:
    """Return the moments at which pages appeared, in order.

    Where an answer has no measured time, or was changed on a later visit, the page appeared at the
    last answer on another page before.
    """
    rows = Judgment.objects.filter(assignment=work)
    names = ("item", "question__instrument", "milliseconds", "first_at", "answered_at")
    answers: dict[Key, list[datetime]] = defaultdict(list)
    measured: dict[Key, list[datetime]] = defaultdict(list)
    first_answers: dict[Key, datetime] = {}
    for item, instrument, milliseconds, first, last in rows.values_list(*names):
        page = (item, instrument)
        answers[page] += [first, last]
        first_answers[page] = min(first, first_answers.get(page, first))
        if milliseconds is not None:
            measured[page].append(last - timedelta(milliseconds=milliseconds))
    moments = [(at, page) for page, times in measured.items() for at in times]
    for page, first in first_answers.items():
        if all(at > first for at in measured[page]):
            others = (at for other, times in answers.items() if other != page for at in times)
            before = (at for at in others if at < first)
            moments.append((max(before, default=work.started_at or first), page))
    return sorted(moments)


def _since(start: datetime, at: datetime) -> float:
    return (at - start).total_seconds()


def visit_at(visits: Sequence[PageVisit], seconds: float) -> PageVisit | None:
    """Return the visit at a time in seconds from consent."""
    for visit in visits:
        if visit.start <= seconds and (visit.end is None or seconds < visit.end):
            return visit
    return None


def utterances_with_pages(
    session: ModeratedSession, visits: Sequence[PageVisit] | None = None
) -> list[tuple[Utterance, PageVisit | None]]:
    """Return the utterances in order, each with the page at its start."""
    if visits is None:
        visits = visits_of(session.assignment)
    rows = session.utterances.order_by("position")
    return [(row, visit_at(visits, row.start + session.offset)) for row in rows]


def notes_with_pages(
    session: ModeratedSession, visits: Sequence[PageVisit]
) -> list[tuple[SessionNote, PageVisit | None]]:
    """Return the notes in order, each with the page at its time."""
    rows = session.notes.select_related("by")
    return [(note, visit_at(visits, note.at + session.offset)) for note in rows]
