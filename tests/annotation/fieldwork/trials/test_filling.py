"""Who has tried enough pages of a questionnaire has the rest answered, in a trial alone."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.trials import recording_trials
from annotation.fieldwork.trials.making import make_trial
from annotation.fieldwork.work.refusals import UnknownLink
from annotation.models import Assignment, Trial
from judging.answering import locked_assignment, recording
from judging.items import drawing
from judging.models import Judgment
from judging.simulation import filling
from tests.annotation.fieldwork.trials.test_trials import arrive
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, begun, bob, rita, small_study
from tests.hooks import element, values

pytestmark = pytest.mark.django_db
REST = "data-fill-rest"


def begun_trial() -> tuple[Trial, Assignment]:
    draft = drafted(judging_document(responses=12), user=rita())
    trial = make_trial(draft=draft, user=User.objects.get(), now=NOW)
    return trial, arrive(trial)


def answer_pages(work: Assignment, pages: int) -> None:
    """As a page sends it: with numbers."""
    shown = drawing.draw_presentations(assignment=work)[:pages]
    questions = recording.questions_of(work.study_id)
    given = [
        recording.GivenAnswer(
            each.position, key, question.scale.spec["options"][0]["code"], number=n
        )
        for n, each in enumerate(shown, start=1)
        for key, question in questions[each.instrument_id].items()
    ]
    recording.record(assignment=work, answers=given, now=NOW)


def item_page(work: Assignment, position: int = 1) -> str:
    return reverse("judging:item", args=[work.token, position])


def test_three_pages_by_hand_and_the_rest_filled_lead_to_the_code() -> None:
    trial, work = begun_trial()
    client = Client()
    answer_pages(work, 3)
    by_hand = list(Judgment.objects.order_by("pk").values("pk", "raw", "number"))
    assert REST in client.get(item_page(work, 4)).text
    finish = reverse("judging:finish", args=[work.token])
    assert REST in client.get(finish).text
    rest = reverse("judging:fill_rest", args=[work.token])
    for _ in range(2):  # asked twice it is done once
        assert client.post(rest).url == finish
    kept = Judgment.objects.filter(number__gt=0).order_by("pk")
    assert list(kept.values("pk", "raw", "number")) == by_hand
    assert REST not in client.get(item_page(work, 4)).text
    total = len(drawing.draw_presentations(assignment=work))
    assert filling.pages_by_hand(work) == (3, total)
    recording.submit(assignment=work, now=NOW)
    entry = recording_trials.last_tried(trial.draft)
    assert entry is not None
    assert recording_trials.tried_of(entry) == recording_trials.TrialProgress(
        0, 3, total, by_link=True
    )
    client.force_login(User.objects.get())
    check = client.get(reverse("draft_check", args=[trial.draft_id])).text
    trial_check = element(check, "data-check", "tried")
    assert trial_check.numbers[-2:] == [3, total]
    assert "by link" in trial_check.text
    page = client.get(reverse("draft_try", args=[trial.draft_id])).text
    assert values(page, "data-pages") == [f"3/{total}"]
    assert {3, total} <= set(element(page, "data-tried").numbers)


def test_an_answer_that_comes_before_the_work_is_locked_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, work = begun_trial()
    fetch, requests = locked_assignment.fetch, [answer_pages]

    def overtaken(*query: Any) -> Any:
        if requests:  # another request has the lock first
            requests.pop()(work, 3)
        return fetch(*query)

    monkeypatch.setattr(locked_assignment, "fetch", overtaken)
    filling.fill_rest(assignment=work, now=NOW)
    by_hand = Judgment.objects.filter(number__gt=0)
    assert filling.pages_by_hand(work)[0] == 3
    assert by_hand.exists()
    assert not by_hand.exclude(changes=0).exists()
    assert recording.open_positions(assignment=work) == []


def test_what_is_chosen_best_by_hand_is_not_filled_in_as_worst() -> None:
    draft = drafted(judging_document(method="best-worst", responses=6), user=rita())
    trial = make_trial(draft=draft, user=User.objects.get(), now=NOW)
    work = arrive(trial)
    first = drawing.draw_presentations(assignment=work)[0]
    questions = recording.questions_of(work.study_id)[first.instrument_id]
    key, question = next((k, q) for k, q in questions.items() if q.arity == "choose")
    code = question.scale.spec["options"][0]["code"]
    for number in range(1, 5):  # whichever the others would choose
        code = question.scale.spec["options"][number - 1]["code"]
        Judgment.objects.all().delete()
        one = recording.GivenAnswer(first.position, key, code, number=number)
        recording.record(assignment=work, answers=[one], now=NOW)
        filling.fill_rest(assignment=work, now=NOW)
        assert recording.open_positions(assignment=work) == []


def test_there_is_no_such_thing_in_a_study() -> None:
    work = begun(small_study(), bob())
    client = Client()
    assert REST not in client.get(item_page(work)).text
    finish = reverse("judging:finish", args=[work.token])
    assert REST not in client.get(finish).text
    with pytest.raises(UnknownLink):
        filling.fill_rest(assignment=work, now=NOW)
    assert client.post(reverse("judging:fill_rest", args=[work.token])).status_code == 404
    assert not Judgment.objects.exists()


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("draft 1, revision 4", recording_trials.TrialProgress(4)),
        ("draft 1, revision 4, 3 of 13 pages", recording_trials.TrialProgress(4, 3, 13)),
        (
            "draft 1, revision 4, 17 of 215 words, from 200",
            recording_trials.TrialProgress(4, None, None, 17, 215, 200),
        ),
        ("of long ago", recording_trials.TrialProgress(0)),
    ],
)
def test_the_audit_log_says_how_far_somebody_went(what: str, said: Any) -> None:
    from annotation.models import AuditEntry

    assert recording_trials.tried_of(AuditEntry(act="tried", what=what)) == said
