"""Filling in a trial's remaining questions as a simulated worker.

Thirteen pages of seven questions are 91 taps, and the first three show how a page works. Only open
questions are filled.
"""

from collections import defaultdict
from datetime import datetime

from django.db import transaction
from django.db.models import prefetch_related_objects

from annotation.fieldwork.work.refusals import UnknownLink
from annotation.models import Assignment, Study
from judging.answering import page_layout, recording
from judging.answering.locked_assignment import lock
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from judging.simulation.simulating import CONTENTS, SimulatedWorker, answers

COMPETENCE = 0.73  # as that of a crowd that is simulated, unless somebody says otherwise
SECONDS = 30  # a page
Page = dict[tuple[str, str], str]  # question, slot -> what was clicked


@transaction.atomic
def fill_rest(*, assignment: Assignment, now: datetime) -> int:
    """Answer the open questions of a trial; return their number. Safe to repeat.

    Raises UnknownLink for an assignment that is no trial, and NotLive.
    """
    study = assignment.study
    if study.purpose != Study.Purpose.TRIAL:
        raise UnknownLink
    # Before anything is read: what is filled has no number, so it would win against an answer of
    # a page that came between reading and writing.
    lock(pk=assignment.pk)
    presentations = [
        draw_presentation
        for draw_presentation in draw_presentations(assignment=assignment)
        if not draw_presentation.is_erased
    ]
    prefetch_related_objects(presentations, *CONTENTS)
    questions = recording.frozen_questions(study.pk, study.created_at)
    kept = _kept(assignment)
    worker = SimulatedWorker(f"trial-{assignment.pk}", COMPETENCE, SECONDS, study.seed)
    new_answers = [
        answer
        for presentation in presentations
        for answer in answers(
            worker=worker,
            presentation=presentation,
            questions=questions,
            seed=study.seed,
            kept=kept[presentation.item_id, presentation.instrument_id],
        )
    ]
    if new_answers:
        recording.record(assignment=assignment, answers=new_answers, now=now, questions=questions)
    return len(new_answers)


def _kept(assignment: Assignment) -> dict[tuple[int, int], Page]:
    """Return the answers by item and instrument."""
    rows = Judgment.objects.filter(assignment=assignment).values_list(
        "item", "question__instrument", "question__key", "slot", "raw"
    )
    kept: dict[tuple[int, int], Page] = defaultdict(dict)
    for item, instrument, question, slot, raw in rows:
        kept[item, instrument][question, slot] = raw
    return kept


def pages_by_hand(assignment: Assignment) -> tuple[int, int]:
    """Return the number of pages with an answer by a person, and of all pages.

    Requests of a page have a number (annotation.fieldwork.work.numbering), filled answers have
    none.
    """
    items = Judgment.objects.filter(assignment=assignment, number__gt=0).values_list(
        "item", "question__instrument"
    )
    answered = set(items)
    pages = page_layout.pages_of(draw_presentations(assignment=assignment), study=assignment.study)
    by_hand = [
        page
        for page in pages
        if any(
            (presentation.item_id, presentation.instrument_id) in answered
            for presentation in page.presentations
        )
    ]
    return len(by_hand), len(pages)
