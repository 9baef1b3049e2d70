"""Four systems under four methods, forty simulated workers in arms: the study of Popp et al."""

from collections import Counter
from itertools import combinations

import pytest
from django.utils import timezone

from analysis.exports.exporting import write_bundle
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.method_work import arms_left, method_work
from analysis.pages.results.presentation.catalogue import figures_of
from analysis.pages.results.run_results import RunResults
from analysis.runs.findings import records, tables
from annotation.corpora.importing_orders import import_order
from annotation.fieldwork.work import assigning
from annotation.models import Place
from judging.answering import recording
from judging.instruments.files import load
from judging.items import drawing
from judging.models import Judgment, Presentation
from judging.simulation.simulating import crowd, simulate
from tests.analysis.exports.exported import jsonl
from tests.analysis.runs.polls import analysed, closed
from tests.cast import (
    MINUTE,
    NOW,
    begun,
    design_batch,
    draft_study,
    handed_in,
    open_study,
    small_corpus,
    small_study,
    worker,
)
from tests.judging.review.checked import checked

METHODS = ("direct-quality", "quality-agreement", "ab-comparison", "best-worst-two")
SYSTEMS = ("gpt", "llama", "luminous", "mistral")


def study_of_arms(*, quota):
    corpus = small_corpus(responses=8)
    systems = [corpus.systems.create(key=key, name=key) for key in SYSTEMS]
    for n, response in enumerate(corpus.responses.order_by("key")):
        response.system = systems[n // 2]
        response.save()
    files = [load(method) for method in METHODS]
    study = draft_study(instruments=files, corpus=corpus, arms="one", pay="6.00")
    return open_study(study, items=60, quota=quota, batch={"closes_when_full": False})


@pytest.mark.django_db
@pytest.mark.analyses("totals", "methods")
def test_forty_workers_in_four_arms(tmp_path):
    study = study_of_arms(quota=10)
    people = crowd(workers=40, spammers=0, seed=5)
    assert len(list(simulate(study=study, workers=people, now=timezone.now()))) == 40
    places = Place.objects.filter(task__batch__study=study, assignment__isnull=False)
    by_arm = Counter(places.values_list("task__arm", flat=True))
    assert by_arm == dict.fromkeys(METHODS, 10)
    keys = study.corpus.responses.order_by("key").values_list("key", flat=True)
    import_order(
        corpus=study.corpus,
        text="".join(f"{key},0.{n + 1}\n" for n, key in enumerate(keys)),
        file="cosine.csv",
    )

    run = analysed(closed(study))
    systems = tables(run, "methods", "systems")
    pairs = set(zip(systems["first"], systems["second"], strict=True))
    assert pairs == set(combinations([*METHODS, "cosine.csv"], 2))
    totals = systems[systems["scale"] == "total"]
    assert set(totals["units"]) == {4}
    assert totals["tau"].between(-1, 1).all()
    figures = figures_of(RunResults(run), "methods")
    assert [figure.wide.count('class="plot-cell') for figure in figures] == [20] * 6

    work = {row["method"]: row for row in records(tables(run, "methods", "work"))}
    assert set(work) == set(METHODS)
    for method, row in work.items():
        judgments = Judgment.objects.filter(question__instrument__key=method).exclude(raw="")
        assert (row["submissions"], row["agreed"], row["left"]) == (10, 10, 0)
        assert row["judgments"] == judgments.count()
        assert row["pay"] == pytest.approx(60)
        assert row["minutes"] > 0
        assert row["page_seconds"] > 0

    write_bundle(study=study, out=tmp_path)
    exported = jsonl(tmp_path / "assignments.jsonl.gz")
    assert Counter(row["arm"] for row in exported) == by_arm


@pytest.mark.django_db
@pytest.mark.analyses("totals", "methods")
def test_comments_and_those_who_left_are_counted_by_arm():
    study = study_of_arms(quota=2)
    for n in range(4):
        work = begun(study, worker(f"w{n}"))
        page = drawing.draw_presentations(assignment=work)[0]
        Presentation.objects.filter(pk=page.pk).update(comment="I see no difference.")
        _answer(work)
    gone = begun(study, worker("gone"))
    assigning.return_task(assignment=gone, now=NOW)
    rows = records(tables(analysed(study), "methods", "work"))
    assert [row["comments"] for row in rows] == [1] * 4
    assert {row["method"]: row["left"] for row in rows} == {
        method: int(method == gone.task.arm) for method in METHODS
    }


def _answer(work):
    questions = recording.questions_of(work.study_id)
    given = []
    for page in drawing.draw_presentations(assignment=work):
        slots = page.order.split(",")
        for key, question in questions[page.instrument_id].items():
            codes = [option["code"] for option in question.scale.spec["options"]]
            raw = codes[(page.position + key.endswith("_worst")) % len(codes)]
            raw = slots[-1] if key.endswith("_worst") else slots[0] if "_best" in key else raw
            given.append(recording.GivenAnswer(page.position, key, raw))
    recording.record(assignment=work, answers=given, now=NOW + MINUTE)
    recording.submit(assignment=work, now=NOW + 60 * MINUTE)


@pytest.mark.django_db
def test_a_batch_counts_its_own_participants_alone():
    study = study_of_arms(quota=1)
    gone = begun(study, worker("gone"))
    assigning.return_task(assignment=gone, now=NOW)
    first, later = gone.task.batch, design_batch(study, items=60, quota=1)
    arm = gone.task.arm
    assert arms_left(study, None)[arm] == arms_left(study, first)[arm] == (1, 1)
    assert arms_left(study, later) == {}


@pytest.mark.django_db
def test_comments_on_attention_pages_do_not_count():
    study = small_study(instrument=checked(), responses=4, quota=2)
    work = handed_in(begun(study, worker("bob")))
    work.presentations.update(comment="I see no difference.")
    (row,) = records(method_work(study, None, FrozenWork.now(study)))
    pages = work.presentations.count()
    checks = work.presentations.exclude(item__check_of=None).count()
    assert 0 < checks < pages
    assert row["comments"] == pages - checks
