"""Planted words about a secret entry leave in no export without an owner's choice.

People and models wrote them: comments on pages, reasons, extracted answers, answers before a redo
and codes of comments.
"""

from contextlib import suppress

import pytest

from analysis.exports.catalogue import files_of, offered_tables
from analysis.exports.exporting import stream
from analysis.exports.source import CannotExport, ExportSource
from analysis.runs import running
from annotation.models import ReviewDecision
from annotation.studies import batching
from judging.answering import recording
from judging.banks import deciding
from judging.banks.appending import Change
from judging.banks.studies import method_of
from judging.coding import coding_units
from judging.items import drawing
from judging.models import (
    AnswersBefore,
    Coder,
    Coding,
    CodingUnit,
    Judgment,
    Presentation,
    UnitCodes,
)
from judging.raters.registering import register
from tests.cast import NOW, begun, draft_study, open_study, rita, worker
from tests.config.askers import client_of, person
from tests.judging.banks.cast import bank_of, entry
from tests.judging.banks.test_secret_exports import unpacked
from tests.judging.coding.cast import KEYS, coding_of

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
WITH_WORDS = {
    "votes", "votes_before_redo", "other_answers", "comments", "codes", "labels", "rubric_passages",
}  # fmt: skip
SECRET, OPEN = "Built in 1889", "Built by Eiffel"
PLANTED, SEEN = "numbats of Timbuktu", "about the open one"


def words_on(item):
    return PLANTED if item.slots.filter(criterion__definition=SECRET).exists() else SEEN


def answer(assignment, *, pages=None):
    """Answer pages: the best grade, or words about the entry where words are asked."""
    presentations = drawing.draw_presentations(assignment=assignment)[:pages]
    questions = recording.questions_of(assignment.study_id)
    given = [
        recording.GivenAnswer(
            page.position,
            key,
            words_on(page.item) if question.scale.kind == "text" else "5",
        )
        for page in presentations
        for key, question in questions[page.instrument_id].items()
    ]
    recording.record(assignment=assignment, answers=given, now=NOW)
    for page in presentations:
        Presentation.objects.filter(pk=page.pk).update(comment=words_on(page.item))


def redone(work):
    """Keep the answers of submitted work as those before a redo."""
    decision = ReviewDecision.objects.create(
        assignment=work, decision="redo", reviewer="rita", decided_at=NOW
    )
    names = (
        "item", "question", "slot", "shown", "raw", "value", "score", "milliseconds", "comment",
        "first_at", "answered_at", "changes",
    )  # fmt: skip
    answers = [
        row | {name: row[name].isoformat() for name in ("first_at", "answered_at")}
        for row in Judgment.objects.filter(assignment=work).values(*names)
    ]
    AnswersBefore.objects.create(
        assignment=work, decision=decision, submitted_at=NOW, answers=answers
    )


def coded(study):
    """Close a coding of all comments, with the words in a note."""
    coding = coding_of(study, kinds=("page", "reason"))
    coder = coding_units.join(coding=coding, user=rita())
    UnitCodes.objects.bulk_create(
        UnitCodes(unit=unit, coder=coder, codes=[KEYS[0]], saved_at=NOW)
        for unit in coding.units.all()
    )
    Coder.objects.filter(pk=coder.pk).update(is_compared=True)
    Coding.objects.filter(pk=coding.pk).update(closed_at=NOW)


@pytest.fixture
def study():
    bank = bank_of([OPEN, SECRET], state="confirmed")
    row = entry(bank, SECRET)
    shown = {row.pk: row.revision}
    deciding.decide(bank=bank, shown=shown, change=Change(secret=True), by=None, now=NOW)
    method = method_of(bank, method="nugget-extraction")
    study = open_study(
        draft_study(
            corpus=bank.corpus,
            instruments=[method],
            slug="words",
        ),
        quota=3,
    )
    works = [begun(study, worker(name)) for name in ("Ann", "Ben", "Cem")]
    for work in works:
        answer(work, pages=None if work is not works[2] else 4)
    judge = register(name="judge", kind="model", team=study.team, model="m")
    for judgment in works[0].judgments.all():
        judgment.pk, judgment.assignment, judgment.rater = None, None, judge
        judgment.save()
    judgments = Judgment.objects.filter(item__study=study)
    for judgment in judgments:
        Judgment.objects.filter(pk=judgment.pk).update(comment=words_on(judgment.item))
    for work in works[:2]:
        recording.submit(assignment=work, now=NOW)
        redone(work)
    coded(study)
    batching.close_batch(batch=study.batches.get(), now=NOW)
    run = running.start(study=study, enqueue=print)
    while step := run.steps.filter(state="queued").first():
        running.perform(pk=step.pk, enqueue=print)
    return study


def exported(study, *, secret):
    """Return the content of each file of each table that the study has, by its table."""
    contents = {}
    for pool in ("", "everybody"):
        source = ExportSource.of(study, pool=pool, secret=secret)
        for table in offered_tables(source):
            for file in files_of(source, table):
                with suppress(CannotExport):  # no row
                    content = b"".join(stream(source=source, name=file.name))
                    contents[table.name, file.ending, pool] = unpacked(file.name, content).decode()
    return contents


def test_no_table_has_the_words_unless_an_owner_chose_them(study):
    default, chosen = exported(study, secret=False), exported(study, secret=True)
    assert {name for name, *_ in chosen} >= WITH_WORDS
    assert [name for name, content in default.items() if PLANTED in content] == []
    assert {name for (name, *_), content in chosen.items() if PLANTED in content} == WITH_WORDS
    assert {name for (name, *_), content in default.items() if SEEN in content} == WITH_WORDS


def test_a_coder_who_may_not_edit_reads_no_comment_on_a_secret_entry(study):
    unit = CodingUnit.objects.filter(text=PLANTED).first()
    Coding.objects.update(closed_at=None)
    place = f"/studies/{study.slug}/1/coding/{unit.coding_id}/"
    for role, reads in (("reviewer", False), ("owner", True)):
        client = client_of(person(role, study))
        pages = [
            client.get(f"{place}code/", {"unit": n}).content.decode()
            for n in unit.coding.units.values_list("position", flat=True)
        ]
        assert any(PLANTED in page for page in pages) is reads
        assert any(SEEN in page for page in pages)
