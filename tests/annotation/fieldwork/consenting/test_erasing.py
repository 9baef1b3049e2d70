"""Whoever withdraws leaves no word behind, in any column of any table, nor in a file.

The columns come from Django's registry of models, so that a new model cannot be forgotten: what
hangs on a worker or their work is listed below as erased or as kept, or the second test fails.
"""

from typing import Any

import pytest
from django.utils import timezone

from annotation import wiping
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, Demographics, ReviewDecision, Worker
from judging.models import Examination, Judgment, Presentation
from tests.cast import HOUR, NOW, begun, bob, handed_in, small_study, worker
from tests.planted import WORD, columns_with, files_with
from tests.writing.editor.typing_hands import answers_to, typed, writing_assignment
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import encode
from writing.process import measuring

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.storage]

# What hangs on a worker or an assignment, and stays when they withdraw: why.
KEPT = {
    "annotation.Assignment": "that somebody worked and when; its answers are erased",
    "annotation.Consent": "that they agreed and withdrew",
    "annotation.Contract": "for whom a personal link was made, and what it pays",
    "annotation.HeldUp": "that somebody else came under the id, and when",
    "annotation.SetApart": "under whose id somebody else did it",
    "annotation.Exposure": "what they met, so that they never meet it twice",
    "annotation.KeptCode": "the completion code, for the payment",
    "annotation.LedgerEntry": "what they are owed and were paid",
    "annotation.Payment": "what was paid",
    "annotation.Place": "freed",
    "annotation.PlatformSubmission": "in which state the platform has it",
    "annotation.Qualified": "that they passed, so that they are not asked again",
    "annotation.ReviewDecision": "how the work was decided on, for the payment",
    "annotation.ScreeningResult": "whether they passed; its answers are erased",
    "annotation.Tester": "which researcher tried a draft; deleted with the trial",
    "judging.Presentation": "the drawn order; its comment is erased",
    "judging.Rater": "the pseudonym",
    "annotation.Response": "its key, without words or author, where others judge it",
}
ERASED = {
    "annotation.Demographics",
    "judging.Judgment",
    "judging.AnswersBefore",
    "judging.CoderCall",
    "judging.CodingUnit",
    "judging.UnitCodes",
    "judging.AddedCode",
    "judging.UnitDecision",
    "judging.DocumentReason",
    "judging.Examination",
    "analysis.AgreementWithOthers",
    "writing.Writing",
    "writing.ProcessRecord",
    "writing.LogChunk",
    "writing.PackedLog",
    "judging.ModeratedSession",
    "judging.Recording",
    "judging.RecordingChunk",
    "judging.Utterance",
    "judging.SessionNote",
}


def written() -> Assignment:
    """Alice's text and everything that is kept of her, each with the word in it."""
    work = writing_assignment()
    text = f"{WORD} shines [0]. " * 3
    collect(assignment=work, number=1, events_json=encode(typed(text)), now=NOW, tab="one")
    study = work.study
    said = {key: WORD for key in answers_to(study.exit_form)}
    Assignment.objects.filter(pk=work.pk).update(entry_answers=said, tab="one")
    drafting.submit(assignment=work, text=text, last_number=1, now=NOW, exit_answers=said)
    measuring.finish(assignment=work, now=NOW)
    return Assignment.objects.get(pk=work.pk)


def judged() -> Assignment:
    """Bob's questionnaire, with the word wherever a judge may write."""
    work = handed_in(begun(small_study(quota=2), bob()))
    Judgment.objects.filter(assignment=work).update(raw=WORD, comment=WORD)
    Presentation.objects.filter(assignment=work).update(comment=WORD)
    Examination.objects.update_or_create(
        assignment=work,
        defaults={"version": 1, "answers": 1, "marks": [{"said": WORD}], "is_marked": True},
    )
    Assignment.objects.filter(pk=work.pk).update(exit_answers={"remarks": WORD})
    Demographics.objects.create(assignment=work, said={"age": WORD}, imported_at=NOW)
    return work


def test_nothing_that_a_writer_wrote_is_left_in_any_table_or_file():
    work = written()
    assert {"writing.Writing.text", "writing.PackedLog.data"} <= columns_with()
    reviewing.decide(
        assignment=work, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita",
        reason="So it is.", now=NOW,
    )  # fmt: skip
    assert {"annotation.Response.text", "annotation.Segment.text"} <= columns_with()
    assigning.withdraw(assignment=work, now=timezone.now())
    wiping.wipe()
    assert columns_with() == set()
    assert files_with() == []


def test_nothing_that_a_judge_answered_is_left_in_any_table_or_file():
    work = judged()
    reviewing.decide(
        assignment=work, decision=ReviewDecision.Decision.REDO, reviewer="rita",
        reason="Look again.", now=NOW,
    )  # fmt: skip
    assert {
        "judging.Judgment.raw",
        "judging.Judgment.comment",
        "judging.AnswersBefore.answers",
        "judging.AnswersBefore.remarks",
        "judging.AnswersBefore.exit_answers",
        "judging.Presentation.comment",
        "judging.Examination.marks",
        "annotation.Assignment.exit_answers",
        "annotation.Demographics.said",
    } == columns_with()
    assigning.withdraw(assignment=work, now=timezone.now())
    wiping.wipe()
    assert columns_with() == set()
    assert files_with() == []


def test_every_table_that_hangs_on_a_worker_is_known_to_be_erased_or_kept():
    """A new one fails here until somebody has said which, and has seen to it."""
    found: set[Any] = set()
    waiting: list[Any] = [Worker, Assignment]
    while waiting:
        one = waiting.pop()
        for relation in one._meta.get_fields(include_hidden=True):
            model = relation.related_model
            is_new = relation.auto_created and not relation.concrete and model not in found
            if is_new and (relation.one_to_many or relation.one_to_one):
                found.add(model)
                if f"{model._meta.label}" in ERASED:
                    waiting.append(model)
    assert {each._meta.label for each in found} == {*KEPT, *ERASED}
    assert ERASED.isdisjoint(KEPT)


def test_what_a_judge_did_is_still_accounted_for():
    work = judged()
    reviewing.decide(
        assignment=work, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita",
        reason="So it is.", now=NOW,
    )  # fmt: skip
    assigning.withdraw(assignment=work, now=NOW + HOUR)
    assert Assignment.objects.paid().get() == work
    assert work.decisions.get().reason == "So it is."


def test_the_place_is_free_and_somebody_else_gets_it():
    study = small_study(quota=1, batch={"closes_when_full": False})
    work = handed_in(begun(study, bob()))
    assigning.withdraw(assignment=work, now=NOW + HOUR)
    other = begun(study, worker("dora"), now=NOW + HOUR)
    assert other.task == work.task


def test_who_withdraws_twice_or_in_two_browsers_withdraws_once(client):
    work = judged()
    first = assigning.withdraw(assignment=work, now=NOW + HOUR)
    again = assigning.withdraw(assignment=Assignment.objects.get(pk=work.pk), now=NOW + 2 * HOUR)
    assert first.ended_at == again.ended_at
    page = client.post(f"/w/{work.token}/withdraw/", follow=True)
    assert 'data-end="withdrawn"' in page.content.decode()
    assert f'"/w/{work.token}/withdraw/"' not in page.content.decode()
    assert not Judgment.objects.exists()


def test_a_late_chunk_of_a_log_is_refused_after_a_withdrawal():
    work = written()
    assigning.withdraw(assignment=work, now=NOW + HOUR)
    with pytest.raises(NotLive):
        collect(assignment=work, number=2, events_json=encode(typed(WORD)), now=NOW, tab="one")
    assert columns_with() == set()
