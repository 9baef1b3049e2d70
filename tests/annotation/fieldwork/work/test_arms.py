"""Arms: each worker gets one of the methods, the arms stay balanced, and nobody changes theirs."""

import re
from collections import Counter

import msgspec
import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from annotation.fieldwork.work import arms, assigning
from annotation.fieldwork.work.eligible_tasks import most_tasks
from annotation.fieldwork.work.refusals import NoTaskLeft, NothingNew
from annotation.models import Arm, Assignment, Place
from annotation.studies import progress
from annotation.studies.drafts import making
from annotation.studies.forms import FieldSpec
from judging.drafts.workload import outline
from judging.instruments.files import load
from judging.items.drawing import draw_presentations
from tests.analysis.exports.exported import jsonl
from tests.annotation.fieldwork.work.test_concurrency import (  # noqa: F401
    arrive,
    at_hosts,
    hosts,
    statuses,
)
from tests.cast import (
    NOW,
    begun,
    draft_study,
    open_study,
    rita,
    small_corpus,
    worker,
    writing_study,
)
from tests.hooks import element, values

METHODS = ["ab-comparison", "best-worst", "direct-quality", "crowdrag-pointwise"]


def study_of_arms(*, quota=7, responses=5, **settings):
    """Return a study of four methods, which have different numbers of places."""
    settings = {"tasks_per_worker": 1, "arms": "one"} | settings
    cap = settings.pop("tasks_per_worker")
    files = settings.pop("instruments", None) or [load(name) for name in METHODS]
    study = draft_study(instruments=files, responses=responses, cap=cap, **settings)
    return open_study(study, items=2, quota=quota)


def taken(study):
    places = Place.objects.filter(task__batch__study=study, assignment__isnull=False)
    return Counter(dict.fromkeys(METHODS, 0)) + Counter(places.values_list("task__arm", flat=True))


def spread(study):
    counts = [taken(study)[method] for method in METHODS]
    return max(counts) - min(counts)


@pytest.mark.django_db
def test_a_worker_is_asked_one_method_and_told_how_that_one_works():
    study = study_of_arms()
    work = begun(study, worker("bob"))
    asked = {each.instrument.key for each in draw_presentations(assignment=work)}
    assert asked == {work.task.arm}
    shown = arms.instructions_shown(work)
    arm = Arm.objects.get(study=study, key=work.task.arm)
    assert shown == arm.instructions
    assert not [other for other in Arm.objects.exclude(pk=arm.pk) if other.instructions in shown]
    page = render_to_string("worker/instructions.html", {"assignment": work, "study": study})
    assert page.count('class="prose"') == 1


@pytest.mark.django_db
def test_pay_and_time_are_those_of_the_longest_method():
    study = study_of_arms()
    assert study.minutes == max(load(name).defaults.minutes for name in METHODS)
    assert [arm.key for arm in Arm.objects.filter(study=study)] == METHODS


@pytest.mark.django_db
def test_arms_differ_by_one_place_at_most_after_each_arrival():
    study = study_of_arms()
    for n in range(12):
        begun(study, worker(f"w{n}"))
        assert spread(study) <= 1


@pytest.mark.django_db
def test_a_lot_decides_between_equal_arms():
    """The first of twenty studies do not all begin with the same method."""
    first, corpus = set(), small_corpus(topics=1, responses=5)
    for seed in range(20):
        study = study_of_arms(seed=seed, slug=f"lamps-{seed}", corpus=corpus)
        first.add(begun(study, worker(f"w{seed}")).task.arm)
    assert len(first) > 2


@pytest.mark.django_db
def test_a_worker_who_returned_comes_back_to_the_same_method():
    study = study_of_arms(tasks_per_worker=3)
    bob = worker("bob")
    work = begun(study, bob)
    assigning.return_task(assignment=work, now=NOW)
    for n in range(3):
        begun(study, worker(f"w{n}"))
    again = begun(study, bob)
    assert again.pk != work.pk
    assert again.task.arm == work.task.arm


@pytest.mark.django_db
def test_a_full_arm_is_closed_to_its_workers_and_the_others_get_the_newcomers():
    study = study_of_arms(tasks_per_worker=3, quota=1, responses=4)
    bob = worker("bob")
    work = begun(study, bob)
    assigning.return_task(assignment=work, now=NOW)
    blocked = Place.objects.filter(task__batch__study=study, task__arm=work.task.arm)
    for place in blocked:
        done = Assignment.objects.create(
            task=place.task, study=study, worker=worker(f"x{place.pk}"), arrived_at=NOW,
            expires_at=NOW,
        )  # fmt: skip
        Place.objects.filter(pk=place.pk).update(assignment=done)
    with pytest.raises((NoTaskLeft, NothingNew)):  # the arm may have the one task alone
        begun(study, bob)
    assert begun(study, worker("ann")).task.arm != work.task.arm


@pytest.mark.django_db
def test_a_pilot_of_the_first_tasks_has_every_method():
    study = study_of_arms()
    tasks = study.batches.get().tasks.order_by("number")
    assert {task.arm for task in tasks[:6]} == set(METHODS)


@pytest.mark.django_db
def test_nobody_is_promised_the_tasks_of_other_arms():
    study = study_of_arms(tasks_per_worker=50)
    tasks = Counter(study.batches.get().tasks.values_list("arm", flat=True))
    assert most_tasks(study) <= max(tasks.values())


@pytest.mark.django_db
def test_the_export_names_the_method_of_each_participant(tmp_path):
    study = study_of_arms()
    works = [begun(study, worker(name)) for name in ("ann", "bob")]
    write_bundle(study=study, out=tmp_path)
    assert [row["arm"] for row in jsonl(tmp_path / "assignments.jsonl.gz")] == [
        work.task.arm for work in works
    ]


@pytest.mark.django_db
def test_the_overview_counts_the_places_of_each_method(client):
    researcher = rita()
    study = study_of_arms(created_by=researcher)
    client.force_login(researcher)
    work = begun(study, worker("bob"))
    page = client.get(study.get_absolute_url()).content.decode()
    places = Place.objects.filter(task__batch__study=study, task__arm=work.task.arm).count()
    assert element(page, "data-arm", work.task.arm).numbers[-3:] == [0, 1, places]


@pytest.mark.django_db
def test_the_fewest_raters_of_an_arm_decide_whether_there_are_enough():
    study = study_of_arms()
    for name in ("ann", "bob", "cid"):
        begun(study, worker(name))
    study.assignments.update(state=Assignment.State.SUBMITTED, submitted_at=NOW)
    assert progress.participants_of(study) == 3
    assert progress.fewest_participants_of(study) == 0
    begun(study, worker("dan"))
    study.assignments.update(state=Assignment.State.SUBMITTED, submitted_at=NOW)
    assert progress.fewest_participants_of(study) == 1


@pytest.mark.django_db
def test_a_plan_counts_the_raters_of_the_smallest_arm():
    study = study_of_arms()
    document = making.document_of(study)
    whole = outline(document, study.corpus)
    tasks = Counter(study.batches.get().tasks.values_list("arm", flat=True))
    assert sum(whole.arm_tasks) == whole.tasks
    assert len(whole.arm_tasks) == len(METHODS)
    smallest = min(whole.arm_tasks) / whole.tasks
    assert whole.raters(tasks_per_worker=1) == pytest.approx(whole.places * smallest)
    assert whole.minutes == study.minutes == document.minutes
    assert study.minimum_seconds == document.minimum_seconds
    assert [note for note in whole.notes if load(METHODS[1]).title in note]
    assert set(tasks) == set(METHODS)


@pytest.mark.django_db
def test_a_copy_of_the_study_has_the_same_arms_and_times():
    document = making.document_of(study_of_arms())
    assert document.design.arms == "one"
    minutes = [one["defaults"]["minutes"] for one in document.instruments]
    assert minutes == [load(name).defaults.minutes for name in METHODS]


@pytest.mark.django_db
def test_the_exit_form_is_that_of_the_method(client):
    first, *others = [load(name) for name in METHODS]
    extra = FieldSpec(key="ties", label="Were there too many ties?", kind="text")
    first = msgspec.structs.replace(first, exit_form=[*first.exit_form, extra])
    study = study_of_arms(instruments=[first, *others])
    own = {file.name: {field.key for field in file.exit_form} for file in (first, *others)}
    works = [begun(study, worker(f"bob-{number}")) for number in range(4)]
    assert {work.task.arm for work in works} == set(METHODS)
    for work in works:
        assert {field["key"] for field in arms.exit_form_shown(work)} == own[work.task.arm]
        page = client.get(reverse("judging:finish", args=[work.token])).text
        assert ("ties" in page) == (work.task.arm == METHODS[0])
    document = making.document_of(study)
    assert {m["name"]: {f["key"] for f in m["exit_form"]} for m in document.instruments} == own


@pytest.mark.django_db
def test_each_method_has_its_preview(client):
    researcher = rita()
    study = study_of_arms(created_by=researcher)
    draft = making.make_version(study=study, user=researcher, now=NOW)
    client.force_login(researcher)
    for base in (reverse("draft_page", args=[draft.pk, "page"]),
                 reverse("study_page", args=[study.slug, study.version, "page"])):  # fmt: skip
        shown = {name: client.get(base, {"arm": name}).text for name in METHODS}
        kinds = {name: re.findall(r'data-kind="([^"]+)"', page) for name, page in shown.items()}
        assert len(set(shown.values())) == len(METHODS), kinds
    section = client.get(reverse("draft_section", args=[draft.pk, "texts"])).text
    assert values(section, "data-arm-link") == METHODS


@pytest.mark.django_db
def test_each_writer_writes_in_one_style():
    styles = ("essay", "bullet", "news")
    study = writing_study(arms="one", topics=3, cap=3, styles=styles)
    for name in ("ann", "bob", "cid"):
        first = begun(study, worker(name))
        assigning.return_task(assignment=first, now=NOW)
        second = begun(study, worker(name))
        assert second.task.arm == first.task.arm == second.task.writing_task.style
    assert {work.task.arm for work in study.assignments.all()} == set(styles)


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_arms_stay_balanced_when_a_hundred_arrive_at_once(hosts):  # noqa: F811
    study = study_of_arms(quota=30, recruitment="prolific")
    answers = at_hosts(hosts, 100, lambda host, n: arrive(host, f"w{n}"))
    assert statuses(answers) == {302: 100}
    assert taken(study).total() == 100
    assert spread(study) == 0
    works = Assignment.objects.filter(study=study).values_list("worker", "task__arm")
    assert len({person for person, _ in works}) == len(set(works)) == 100
