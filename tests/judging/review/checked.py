"""A study with attention and gold items, answered by people who read and people who do not."""

from itertools import combinations

from judging.answering import recording
from judging.instruments.schema import AnswerSpec, AttentionSpec, InstrumentFile, KnownSpec
from judging.items.drawing import draw_presentations
from judging.models import ItemRole
from judging.review import evidence
from tests.cast import (
    MINUTE,
    NOW,
    small_corpus,
    small_study,
    tiny_instrument,
)

ATTENTION = AttentionSpec("awake", "Choose **Right** here.", [AnswerSpec("better", "b")])


def checked(**changes) -> InstrumentFile:
    """One attention item, and known ones of which a questionnaire has one."""
    parts = {
        "attention": [ATTENTION],
        "gold": [
            KnownSpec(f"{one}{other}", f"t1{one}|t1{other}", [AnswerSpec("better", "a")])
            for one, other in combinations("dcba", 2)
        ],
    }
    return tiny_instrument(**(parts | changes))


def study_with(instrument=None, **more):
    figures = {"responses": 4, "items": 3, "quota": 2} | more
    return small_study(instrument=instrument or checked(), **figures)


def corpus_of_six():
    return small_corpus(responses=6)


def pages(assignment, role):
    every = draw_presentations(assignment=assignment)
    return [each for each in every if each.item.role == role]


def answer(assignment, *, awake="b", knows=True):
    """Every page on its left side, but for the checks."""
    given = []
    for page in draw_presentations(assignment=assignment):
        raw = "a"
        if page.item.role == ItemRole.ATTENTION:
            raw = awake
        elif page.item.role == ItemRole.GOLD:
            raw = "a" if (page.order == "a,b") == knows else "b"
        given.append(recording.GivenAnswer(page.position, "better", raw))
    recording.record(assignment=assignment, answers=given, now=NOW)
    return recording.submit(assignment=assignment, now=NOW + 10 * MINUTE)


def marks(assignment):
    return [
        evidence.EvidenceFlag(**mark)
        for mark in assignment.examination.marks
        if mark["rule"] in ("attention", "gold")
    ]
