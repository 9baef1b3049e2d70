"""Questionnaires that somebody should look at: held with their numbers, never refused."""

from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.fieldwork.work import assigning
from annotation.models import Assignment, ReviewDecision
from annotation.studies.wages import ActiveTime
from judging import tasks
from judging.answering import recording
from judging.models import Examination
from judging.review import evidence, examining
from judging.review.active_times import active_times, measured
from judging.review.evidence import EvidenceFlag, ExaminedAnswer
from tests.cast import MINUTE, NOW, answer_all, begun, rita, small_study, submitted, worker
from tests.hooks import element, elements, numbers, without_tokens

QUESTIONS = 7


def answers(keys, *, items=14):
    """Seven answers an item; `keys` are gone through again and again."""
    return [
        ExaminedAnswer(item, keys[(item * QUESTIONS + question) % len(keys)])
        for item in range(items)
        for question in range(QUESTIONS)
    ]


def rules(given, *, seconds=900.0, minimum=600):
    marks = evidence.marks_of(given=given, seconds=seconds, minimum_seconds=minimum)
    return [mark.rule for mark in marks]


# -- Rules --------------------------------------------------------------------------------------


def test_work_with_many_answers_in_good_time_has_no_mark():
    assert rules(answers("1232112")) == []


def test_a_straight_liner_is_marked_with_the_numbers():
    marks = evidence.marks_of(given=answers("1"), seconds=17.2, minimum_seconds=600)
    assert [(flag.rule, numbers(flag.sentence)) for flag in marks] == [
        ("fast", [98, 17, 10]),  # answers, seconds, minutes that are expected
        ("same", [1, 98, 98]),
    ]


def test_fast_work_is_marked_without_a_limit_of_the_study_too():
    assert rules(answers("1232112"), seconds=41, minimum=0) == ["fast"]
    assert rules(answers("1232112"), seconds=43, minimum=0) == []


def test_work_of_unknown_length_is_not_called_fast():
    assert rules(answers("1232112"), seconds=None) == []
    assert rules(answers("1232112"), seconds=0) == []  # imported


def test_the_same_key_is_a_mark_from_nine_in_ten_answers_on():
    rest = "12" * 50
    assert "same" not in rules(answers("1")[:-10] + answers("2")[-10:])
    assert rules(answers("1")[:-9] + answers("2")[-9:]) == ["same"]
    assert rules(answers(rest)) == []


def test_few_answers_say_nothing_about_keys():
    assert rules(answers("1", items=2), minimum=0) == []


def test_one_answer_to_all_questions_of_nearly_all_items_is_a_mark():
    given = [ExaminedAnswer(item, "13"[item % 2]) for item in range(14) for _ in range(QUESTIONS)]
    assert rules(given) == ["alike"]
    assert numbers(EvidenceFlag("alike", {"alike": 14, "items": 15}).sentence) == [14, 15]


# -- Submissions --------------------------------------------------------------------------------


def straight_liner(study, name, *, seconds=17):
    """Key 1 all the way, by somebody who is in a hurry."""
    work = begun(study, worker(name))
    answer_all(work)
    return recording.submit(assignment=work, now=NOW + timedelta(seconds=seconds))


def held_study(**how):
    return small_study(responses=8, items=28, quota=9, minimum_seconds=600, **how)


@pytest.mark.django_db(transaction=True)
def test_submissions_of_an_import_are_examined_as_those_of_workers():
    study = held_study()
    works = [straight_liner(study, name, seconds=n) for name, n in (("bob", 17), ("alice", 900))]
    examinations = Examination.objects.order_by("assignment")
    fields = [field.attname for field in Examination._meta.concrete_fields if field.name != "id"]
    one_by_one = list(examinations.values(*fields))
    assert [[mark["rule"] for mark in row["marks"]] for row in one_by_one] == [
        ["fast", "same"],
        ["same"],
    ]
    examinations.delete()
    for _ in range(2):  # again it changes nothing
        examining.examine_new(study=study, pks=[work.pk for work in works])
        assert list(examinations.values(*fields)) == one_by_one


@pytest.mark.django_db(transaction=True)
def test_the_sweep_may_examine_a_submission_of_an_import_meanwhile(monkeypatch):
    study = held_study()
    works = [straight_liner(study, name, seconds=900) for name in ("bob", "alice")]
    Examination.objects.all().delete()
    found = examining._findings

    def swept(given):
        monkeypatch.setattr(examining, "_findings", found)
        examining.examine(pk=works[0].pk)
        return found(given)

    monkeypatch.setattr(examining, "_findings", swept)
    examining.examine_new(study=study, pks=[work.pk for work in works])
    assert Examination.objects.filter(assignment__in=works).count() == len(works)


@pytest.mark.django_db(transaction=True)
def test_a_straight_liner_is_not_paid_unseen(client):
    study = held_study()
    work = straight_liner(study, "bob")
    assert work.state == "submitted"
    seen = Examination.objects.get(assignment=work)
    assert [mark["rule"] for mark in seen.marks] == ["fast", "same"]
    done = client.get(f"/w/{work.token}/done/").content.decode()
    assert "data-completion-code" in done
    client.force_login(rita())
    page = client.get(study.get_absolute_url()).content.decode()
    held = reverse("review", args=[study.slug, study.version])
    assert any(wait.numbers == [1] for wait in elements(page, "data-open-task"))
    assert held in page
    listed = client.get(
        reverse("review_panel", args=[study.slug, study.version, work.pk])
    ).content.decode()
    assert element(listed, "data-flags", "").numbers == [28, 17, 10, 1, 28, 28]


@pytest.mark.django_db(transaction=True)
def test_an_error_while_examining_keeps_nobody_from_submitting(monkeypatch):
    monkeypatch.setattr(examining, "examine", lambda pk: 1 / 0)
    work = straight_liner(held_study(), "bob")
    assert work.state == "submitted"
    assert not Examination.objects.exists()
    monkeypatch.undo()
    tasks.sweep()
    assert Examination.objects.get().is_marked


@pytest.mark.django_db
def test_the_sweep_examines_each_questionnaire_once():
    work = straight_liner(held_study(), "bob")
    tasks.sweep()
    assert Examination.objects.get().assignment == work
    assert not examining.unexamined().exists()
    Examination.objects.update(version=0)
    assert examining.unexamined().get() == work


@pytest.mark.django_db
def test_how_long_work_took_is_kept_and_read_without_its_answers(django_assert_num_queries):
    study = held_study()
    works = [straight_liner(study, name, seconds=900) for name in ("bob", "dave")]
    spans = {work.pk: (work.started_at, work.submitted_at) for work in works}
    now_measured = active_times(study)
    assert now_measured == measured(spans)
    tasks.sweep()
    with django_assert_num_queries(1):
        assert active_times(study) == now_measured


@pytest.mark.django_db
def test_work_that_is_handed_in_once_more_is_measured_and_examined_again():
    study = held_study()
    work = straight_liner(study, "bob", seconds=300)
    tasks.sweep()
    Assignment.objects.update(submitted_at=NOW + 2 * MINUTE)
    assert active_times(study) == {work.pk: ActiveTime(120.0, whole=True)}
    assert examining.unexamined().get() == work
    tasks.sweep()
    assert Examination.objects.get().active_seconds == 120


@pytest.mark.django_db
def test_what_is_kept_and_what_is_measured_now_stand_side_by_side():
    study = held_study()
    kept, again, new = (straight_liner(study, name, seconds=300) for name in ("bob", "dave", "eve"))
    tasks.sweep()
    Examination.objects.filter(assignment=kept).update(active_seconds=77, active_whole=False)
    Examination.objects.filter(assignment=again).update(submitted_at=NOW, active_seconds=78)
    Examination.objects.filter(assignment=new).update(active_seconds=None)
    spans = {each.pk: (each.started_at, each.submitted_at) for each in (again, new)}
    begun(study, worker("frank"))
    assert active_times(study) == {kept.pk: ActiveTime(77.0)} | measured(spans)


@pytest.mark.django_db
def test_who_withdraws_takes_the_evidence_along():
    work = straight_liner(held_study(), "bob")
    tasks.sweep()
    assigning.withdraw(assignment=work, now=NOW + MINUTE)
    assert not Examination.objects.exists()
    tasks.sweep()
    assert not Examination.objects.exists()


# -- The page -----------------------------------------------------------------------------------


@pytest.fixture
def held(db, client):
    study = held_study()
    straight_liner(study, "bob")
    submitted(study, worker("dora"), now=NOW)
    tasks.sweep()
    client.force_login(rita())
    return study


def page_of(client, study, **asked):
    answer = client.get(reverse("review", args=[study.slug, study.version]), asked)
    assert answer.status_code == 200
    return without_tokens(answer.content.decode())


def decide(client, study, decision, **form):
    work = study.assignments.get(worker__pseudonym="bob")
    address = reverse("review_together", args=[study.slug, study.version])
    sent = {"work": f"{work.pk}.0", "sure": "yes", "decision": decision, **form}
    answer = client.post(address, sent, follow=True)
    work.refresh_from_db()
    return work, answer


@pytest.mark.parametrize(
    ("decision", "state"),
    [("accept", "accepted"), ("reject", "rejected"), ("reject_but_pay", "rejected")],
)
def test_a_researcher_decides_on_held_work(client, held, decision, state):
    work, _ = decide(client, held, decision, reason="One key, 28 times.")
    assert work.state == state
    made = ReviewDecision.objects.get()
    assert (made.decision, made.reviewer, made.reason) == (decision, "rita", "One key, 28 times.")
    assert "bob" in page_of(client, held, list="decided")
    assert hasattr(work, "place") == (state == "accepted")


def test_a_rejection_needs_a_reason(client, held):
    work, answer = decide(client, held, "reject", reason="  ")
    assert (work.state, answer.status_code) == ("submitted", 409)
    assert elements(answer.text, "data-not-decided")
    work, answer = decide(client, held, "reject", reason="One key, 28 times.")
    assert (work.state, answer.status_code) == ("rejected", 200)


@pytest.mark.parametrize("decision", ["burn", ""])
def test_what_is_no_decision_decides_nothing(client, held, decision):
    work, answer = decide(client, held, decision, reason="Again, please.")
    assert (work.state, answer.status_code) == ("submitted", 409)
    assert elements(answer.text, "data-not-decided")
    assert not ReviewDecision.objects.exists()


def test_each_list_has_its_questionnaires(client, held):
    assert "bob" in page_of(client, held)
    assert "bob" not in page_of(client, held, list="decided")
    everybody = page_of(client, held, list="all")
    assert "bob" in everybody
    assert "dora" in everybody
    assert "dora" not in page_of(client, held, list="all", q="bo")
