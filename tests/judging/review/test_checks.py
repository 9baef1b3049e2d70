"""Attention and gold items: asked like others, counted nowhere, evidence of how people work."""

from collections import Counter
from dataclasses import replace

import msgspec
import pytest
from django.urls import reverse

from analysis.inputs.frames import votes
from analysis.inputs.measures import measures_of
from annotation.models import Assignment, Exposure, Place, TaskExposure
from judging.answering import recording
from judging.design.extending import repeat
from judging.drafts.check_faults import check_faults
from judging.drafts.documents import made_from
from judging.drafts.sheet_changes import ready_attention
from judging.instruments.design_schema import DesignDefaults
from judging.instruments.files import as_json, load
from judging.instruments.schema import AnswerSpec, AttentionSpec, KnownSpec
from judging.items.drawing import draw_presentations
from judging.models import Item, ItemRole, Judgment, Presentation, TaskItem
from judging.raters.pools import EVERYBODY
from judging.review import evidence, examining
from judging.review.evidence import CheckCounts, ExaminedAnswer
from judging.simulation.simulating import crowd, simulate
from tests.cast import (
    MINUTE,
    NOW,
    begun,
    bob,
    charlie,
    draft_study,
    rita,
    small_study,
    tiny_instrument,
    worker,
)
from tests.hooks import numbers
from tests.judging.review.checked import (
    answer,
    checked,
    corpus_of_six,
    marks,
    pages,
    study_with,
)

pytestmark = pytest.mark.django_db


# -- The design ----------------------------------------------------------------------------------


def questionnaires(study):
    return [
        list(
            task.task_items.filter(item__check_of=None)
            .order_by("position")
            .values_list("item__key", "position")
        )
        for task in study.batches.get().tasks.all()
    ]


def orders(assignment):
    return [
        (presentation.item.key, presentation.order)
        for presentation in draw_presentations(assignment=assignment)
        if presentation.item.role == ItemRole.JUDGED
    ]


def test_what_is_judged_is_dealt_and_drawn_as_without_checks():
    plain = small_study(slug="plain", corpus=corpus_of_six(), items=5, quota=2)
    with_checks = small_study(
        slug="checked", corpus=plain.corpus, instrument=checked(), items=5, quota=2
    )
    assert questionnaires(plain) == questionnaires(with_checks)
    assert orders(begun(plain, bob())) == orders(begun(with_checks, bob()))
    places = Place.objects.filter(task__batch__study=plain).count()
    assert Place.objects.filter(task__batch__study=with_checks).count() == places
    units = [
        sorted(TaskExposure.objects.filter(task__batch__study=s).values_list("unit", flat=True))
        for s in (plain, with_checks)
    ]
    assert units[0] == units[1]


def test_every_questionnaire_has_its_own_attention_item_and_a_gold_item_it_does_not_show():
    study = small_study(instrument=checked(), corpus=corpus_of_six(), items=5, quota=1)
    for task in study.batches.get().tasks.all():
        rows = task.task_items.select_related("item__check_of")
        assert Counter(row.role for row in rows)[ItemRole.ATTENTION] == 1
        units = {row.item.unit for row in rows if row.role == ItemRole.JUDGED}
        for row in rows:
            if row.role == ItemRole.GOLD:
                shown = row.item.slots.values_list("response", flat=True)
                assert f"pair:{'|'.join(map(str, sorted(shown)))}" not in units
    checks = Item.every.filter(check_of__isnull=False)
    assert checks.count() == TaskItem.objects.filter(item__in=checks).count()


def test_checks_never_come_first_and_stand_where_each_worker_draws_them():
    study = study_with(items=6, quota=8)
    places = [
        page.position
        for n in range(8)
        for page in draw_presentations(assignment=begun(study, worker(f"w{n}")))
        if page.item.role != ItemRole.JUDGED
    ]
    assert min(places) > 1
    assert len(set(places)) > 2


def test_the_same_worker_draws_the_same_again():
    assignment = begun(study_with(), bob())
    first = [(p.item_id, p.order) for p in draw_presentations(assignment=assignment)]
    Presentation.objects.all().delete()
    assert [(p.item_id, p.order) for p in draw_presentations(assignment=assignment)] == first


def test_a_further_batch_has_checks_of_its_own():
    study = study_with()
    further = repeat(batch=study.batches.get(), votes=1, name="more")
    rows = TaskItem.objects.filter(task__batch=further)
    roles = Counter(row.role for row in rows.select_related("item__check_of"))
    assert roles[ItemRole.ATTENTION] == further.tasks.count()
    assert Item.objects.filter(study=study).count() == 6


def test_a_study_without_a_draft_tells_its_checks():
    (told,) = made_from(study_with())
    file = checked()
    assert (told.attention, told.gold) == (file.attention, file.gold)


# -- What they ask -------------------------------------------------------------------------------


def test_the_page_says_what_to_choose_in_the_place_of_the_texts(client):
    assignment = begun(study_with(), bob())
    (page,) = pages(assignment, ItemRole.ATTENTION)
    html = client.get(f"/w/{assignment.token}/judging/{page.position}/").content.decode()
    assert html.count("Choose <strong>Right</strong> here.") == 2
    assert "about lamp" not in html.split('id="questions"')[0].split('id="texts"')[1]
    assert "expected" not in html


@pytest.mark.parametrize("name", ["crowdrag-pairwise", "best-worst", "exam-questions"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_ready_attention_item_of_a_method_can_be_asked(name, language):
    file = load(name, language)
    ready = msgspec.convert(
        ready_attention(as_json(file), key="awake", language=language), AttentionSpec
    )
    assert list(check_faults(msgspec.structs.replace(file, attention=[ready]), "")) == []
    assert ("Seiten" in ready.text) == (language == "de")


def test_the_best_text_of_an_attention_item_is_not_its_worst():
    ready = ready_attention(as_json(load("best-worst")), key="awake")
    assert [answer_row["answer"] for answer_row in ready["answers"]] == ["d", "a"]


def test_a_gold_item_that_nobody_knows_is_a_fault():
    file = checked(gold=[KnownSpec("odd", "t1a|t9z", [AnswerSpec("better", "q")])])
    corpus_of_six()
    (fault,) = check_faults(file, "lamps")
    assert fault.path == "gold/odd/item"


def test_an_answer_that_is_not_on_the_screen_is_a_fault():
    odd = AttentionSpec("awake", "Choose.", [AnswerSpec("better", "q"), AnswerSpec("worse", "a")])
    paths = {fault.path for fault in check_faults(checked(attention=[odd], gold=[]), "lamps")}
    assert paths == {"attention/awake/answers/better/answer", "attention/awake/answers/worse/key"}


# -- Counted nowhere -----------------------------------------------------------------------------


def test_no_answer_to_a_check_is_a_vote():
    study = study_with()
    assignment = answer(begun(study, bob()))
    judged = len(pages(assignment, ItemRole.JUDGED))
    assert Judgment.objects.filter(assignment=assignment).count() == judged + 2
    assert EVERYBODY.judgments(study=study).count() == judged
    (measure,) = measures_of(study)
    assert len(votes(study=study, measure=measure)) == judged
    assert Exposure.objects.filter(assignment=assignment).count() == judged


# -- Evidence ------------------------------------------------------------------------------------


def test_who_reads_has_no_mark():
    assignment = answer(begun(study_with(), bob()))
    examining.examine(pk=assignment.pk)
    assert marks(assignment) == []


def test_failed_checks_are_marks_with_their_numbers():
    assignment = answer(begun(study_with(), bob()), awake="n", knows=False)
    examining.examine(pk=assignment.pk)
    flags = marks(assignment)
    assert [flag.rule for flag in flags] == ["attention", "gold"]
    assert [numbers(flag.sentence) for flag in flags] == [[1, 1], [1, 1]]  # failed, of so many


def test_one_side_alone_is_a_mark():
    given = [ExaminedAnswer(item, "1", "a") for item in range(14)] + [ExaminedAnswer(14, "3", "b")]
    found = evidence.marks_of(given=given, seconds=900, minimum_seconds=0)
    [flag] = found
    assert (flag.rule, flag.numbers) == ("side", {"same": 14, "answers": 15})
    balanced = [ExaminedAnswer(item, "1", "ab"[item % 2]) for item in range(15)]
    assert evidence.marks_of(given=balanced, seconds=900, minimum_seconds=0) == []


def test_a_third_of_the_pages_in_no_time_is_a_mark():
    few = evidence.marks_of(
        given=[], seconds=None, minimum_seconds=0, checks=CheckCounts(quick=(4, 15))
    )
    many = evidence.marks_of(
        given=[], seconds=None, minimum_seconds=0, checks=CheckCounts(quick=(5, 15))
    )
    assert (few, [mark.rule for mark in many]) == ([], ["quick"])


def test_pages_are_timed_where_the_study_says_how_long_one_takes():
    defaults = DesignDefaults(minimum_item_seconds=5)
    assignment = begun(study_with(tiny_instrument(defaults=defaults)), bob())
    shown = draw_presentations(assignment=assignment)
    given = [
        recording.GivenAnswer(page.position, "better", "a", milliseconds=took)
        for page, took in zip(shown, (1000, 4999, 5000), strict=True)
    ]
    recording.record(assignment=assignment, answers=given, now=NOW)
    recording.submit(assignment=assignment, now=NOW + MINUTE)
    seen = examining.examine(pk=assignment.pk)
    (mark,) = [mark for mark in seen.marks if mark["rule"] == "quick"]
    assert mark["numbers"] == {"quick": 2, "items": 3}


def test_what_another_worker_wrote_about_an_item_is_a_mark():
    study = study_with(tiny_instrument(), responses=3)
    words = "The left one  says more about lamps"
    for person, text, later in ((bob(), words, 0), (charlie(), words.upper(), 1)):
        assignment = begun(study, person)
        shown = sorted(draw_presentations(assignment=assignment), key=lambda p: p.item_id)[0]
        recording.comment(assignment=assignment, position=shown.position, text=text)
        answer(assignment)
        Assignment.objects.filter(pk=assignment.pk).update(submitted_at=NOW + (10 + later) * MINUTE)
        seen = examining.examine(pk=assignment.pk)
        copied = [mark["numbers"] for mark in seen.marks if mark["rule"] == "copied"]
        assert copied == ([{"copied": 1, "remarks": 1}] if later else [])


def test_a_simulated_crowd_reads_attention_items():
    study = study_with(quota=1)
    people = [
        replace(simulated, competence=1.0) for simulated in crowd(workers=2, spammers=0, seed=1)
    ]
    for _, assignment in simulate(study=study, workers=people, now=NOW):
        seen = examining.examine(pk=assignment.pk)
        assert not [mark for mark in seen.marks if mark["rule"] == "attention"]


# -- The console ---------------------------------------------------------------------------------


def test_the_page_of_the_work_says_what_was_a_check(client):
    study = study_with()
    assignment = answer(begun(study, bob()), awake="a")
    examining.examine(pk=assignment.pk)
    client.force_login(rita())
    html = client.get(
        reverse("assignment_page", args=[study.slug, study.version, assignment.pk])
    ).content.decode()
    assert "Attention item awake" in html
    assert marks(assignment)[0].sentence in html
    (page,) = pages(assignment, ItemRole.ATTENTION)
    address = reverse("item_page", args=[study.slug, study.version, page.item_id])
    assert "Choose <strong>Right</strong> here." in (
        client.get(f"{address}?work={assignment.pk}").content.decode()
    )


def test_a_draft_of_a_study_asks_what_its_instrument_checks():
    assert draft_study(instrument=checked(gold=[])).checks.get().expected == {"better": "b"}
