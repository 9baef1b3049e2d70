"""A simulated crowd: of known competence, the same every time, through functions or pages."""

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db.models import Count
from django.utils import timezone

from analysis.analyses.competence import competence
from analysis.inputs import frames
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from annotation.models import Assignment, Batch, Corpus, Study, Task
from annotation.studies import batching
from annotation.studies.creating import next_batch
from judging.instruments.schema import QuestionSpec, ScaleSpec
from judging.models import Judgment, Presentation
from judging.simulation.simulating import SPAMMER, crowd, simulate
from tests.analysis.inputs.measured import measure_of
from tests.cast import PREFERENCE, draft_study, small_corpus, small_study, tiny_instrument
from tests.hooks import numbers

MANY = {"topics": 4, "responses": 4, "batch": {"closes_when_full": False}}


def fill(study, *, workers=20, spammers=0.2, seed=3):
    people = crowd(workers=workers, spammers=spammers, seed=seed)
    return list(simulate(study=study, workers=people, now=timezone.now()))


def votes(study):
    return frames.votes(study=study, measure=measure_of(study))


# -- Recovery ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_mace_recovers_who_knows_and_who_guesses():
    study = small_study(quota=20, items=24, **MANY)
    competence_by_name = {worker.name: worker.competence for worker, _ in fill(study)}
    found = competence(AnalysisInput(votes(study), [measure_of(study)], parameters={}, seed=1))
    estimated = frame_of(found["competence"]).set_index("worker")["competence"]
    assert set(estimated.index) == set(competence_by_name)
    true = np.array([competence_by_name[name] for name in estimated.index])
    assert np.corrcoef(true, estimated)[0, 1] > 0.85
    spammers = {name for name, value in competence_by_name.items() if value == SPAMMER}
    assert len(spammers) == 4
    assert set(estimated.sort_values().index[:4]) == spammers


@pytest.mark.django_db
def test_a_crowd_that_knows_everything_agrees():
    study = small_study(quota=4, items=24, **MANY)
    people = [
        type(worker)(worker.name, 1.0, worker.seconds, worker.seed)
        for worker in crowd(workers=4, spammers=0, seed=1)
    ]
    assert len(list(simulate(study=study, workers=people, now=timezone.now()))) == 4
    assert votes(study).groupby("item")["value"].nunique().max() == 1


@pytest.mark.django_db
def test_a_crowd_in_onboarding_does_what_is_its_turn():
    study = small_study(responses=3, items=1, quota=2)
    Study.objects.update(onboarding_tasks=1)
    wave = next_batch(study=study, name="onboarding", onboarding=True)
    Task.objects.filter(number=1).update(batch=wave)
    batching.open_batch(batch=Batch.objects.get(pk=wave.pk), now=timezone.now())
    study = Study.objects.get()
    assert len(fill(study, workers=2)) == 2
    assert fill(study, workers=2) == []  # nobody has read their work
    assert set(Assignment.objects.values_list("task__batch__name", flat=True)) == {"onboarding"}


# -- The same every time ----------------------------------------------------------------------


def everything(study):
    """Return everything shown and answered, without database ids."""
    shown = Presentation.objects.filter(assignment__study=study).values_list(
        "assignment__worker__pseudonym", "position", "item__key", "order"
    )
    answered = Judgment.objects.filter(assignment__study=study).values_list(
        "rater__worker__pseudonym", "item__key", "question__key", "shown", "raw", "milliseconds"
    )
    return sorted(shown), sorted(answered)


@pytest.mark.django_db
def test_the_same_seed_gives_the_same_study():
    made = []
    for _ in range(2):
        study = small_study(responses=4, quota=6)
        assert len(fill(study, workers=6)) == 6
        made.append(everything(study))
        Judgment.objects.all().delete()
        Assignment.objects.all().delete()
        Study.objects.all().delete()
        Corpus.objects.all().delete()
    assert made[0] == made[1]
    assert len(made[0][1]) == 36


@pytest.mark.parametrize("change", [{"seed": 4}, {"spammers": 0.5}])
def test_another_crowd_has_other_people(change):
    how = {"workers": 10, "spammers": 0.2, "seed": 3}
    assert crowd(**how) == crowd(**how)
    assert crowd(**how) != crowd(**(how | change))


def test_so_many_are_spammers_as_were_ordered():
    people = crowd(workers=40, spammers=0.25, seed=1)
    assert sum(worker.competence == SPAMMER for worker in people) == 10
    assert len({worker.name for worker in people}) == 40


@pytest.mark.django_db
def test_nobody_works_in_the_future():
    study = small_study(responses=3, quota=3)
    before = timezone.now()
    fill(study, workers=3)
    assert Judgment.objects.filter(answered_at__gt=timezone.now()).count() == 0
    assert all(
        assignment.arrived_at <= assignment.started_at < before
        for assignment in Assignment.objects.all()
    )


@pytest.mark.django_db
def test_the_crowd_stops_at_the_quota_and_the_batch_closes():
    study = small_study(responses=3, quota=4)
    assert len(fill(study, workers=10)) == 4
    assert study.batches.get().state == Batch.State.CLOSED


# -- The command ------------------------------------------------------------------------------


def say(*arguments, **options):
    output = StringIO()
    call_command("simulate", *arguments, stdout=output, **options)
    return output.getvalue()


@pytest.mark.django_db
def test_it_says_how_many_came_and_that_nothing_was_left():
    small_study(responses=3, quota=4)
    text = say("lamps", workers=10, spammers=0.5, seed=1)
    came = crowd(workers=10, spammers=0.5, seed=1)[:4]
    spammers = sum(worker.competence == SPAMMER for worker in came)
    first, rest = text.splitlines()
    assert numbers(first) == [4, 10, spammers]
    assert rest


@pytest.mark.django_db
def test_it_counts_the_spammers_among_those_who_came():
    study = small_study(responses=3, quota=4, batch={"closes_when_full": False})
    first = crowd(workers=6, spammers=0.5, seed=3)
    list(simulate(study=study, workers=first[:3], now=timezone.now()))
    text = say("lamps", workers=6, spammers=0.5, seed=3)
    # Three have done enough, one place is left.
    assert numbers(text) == [1, 6, int(first[3].competence == SPAMMER)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("slug", "options", "sentence"),
    [
        ("lamp", {}, "lamp"),
        ("lamps", {"workers": 0}, r"--workers\b.*\b1\b"),
        ("lamps", {"spammers": 1.5}, r"--spammers\b.*\b0\b.*\b1\b"),
        ("lamps", {"http": "http://127.0.0.1:9"}, "http://127.0.0.1:9"),
        ("lamps", {"http": "127.0.0.1:9"}, "127.0.0.1:9"),
        ("draft", {}, "draft"),
    ],
)
def test_what_it_cannot_do_is_one_sentence(slug, options, sentence):
    corpus = small_corpus()
    small_study(corpus=corpus)
    draft_study(slug="draft", corpus=corpus)
    with pytest.raises(CommandError, match=sentence):
        say(slug, **options)
    assert not Assignment.objects.exists()


@pytest.mark.storage
@pytest.mark.parametrize("recruitment", ["link", "prolific"])
def test_a_crowd_walks_through_the_pages_of_a_real_server(web_processes, recruitment):
    study = small_study(
        responses=3, quota=2, recruitment=recruitment, batch={"closes_when_full": False}
    )
    (server,) = web_processes(1)
    text = say("lamps", workers=3, spammers=0.3, http=server.url)
    assert "2 of 3 simulated workers submitted a questionnaire" in text
    assert study.assignments.filter(state=Assignment.State.SUBMITTED).count() == 2
    assert Judgment.objects.filter(assignment__study=study).count() == 2 * 3
    assert Judgment.objects.filter(milliseconds=None).count() == 0


# -- Any scale --------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_crowd_answers_on_every_scale_and_for_every_slot():
    scales = [
        PREFERENCE,
        ScaleSpec(key="words", kind="text"),
        ScaleSpec(key="half", kind="range", min=0, max=1, step=0.5),
    ]
    questions = [
        QuestionSpec("better", "better", "preference", "Which is better?"),
        QuestionSpec("why", "better", "words", "Why?"),
        QuestionSpec("clear", "better", "half", "How clear?", arity="slot"),
        QuestionSpec("sure", "better", "half", "How sure are you?"),
    ]
    instrument = tiny_instrument(scales=scales, questions=questions)
    study = small_study(instrument=instrument, responses=4, quota=5)
    assert len(fill(study, workers=5)) == 5
    rows = Judgment.objects.values_list("question__key").annotate(n=Count("pk")).order_by()
    assert dict(rows) == {"better": 30, "why": 30, "clear": 60, "sure": 30}
    assert set(Judgment.objects.filter(slot="a").values_list("score", flat=True)) == {0, 0.5, 1}


@pytest.mark.django_db
def test_who_knows_chooses_the_best_and_the_worst_and_nobody_one_text_twice():
    study = small_study(instrument="best-worst", responses=6, quota=6)
    assert len(fill(study, workers=6)) == 6
    chosen = Judgment.objects.values_list("rater", "item", "question__key", "value")
    by_item = {}
    for rater, item, question, value in chosen:
        by_item.setdefault((rater, item), {})[question] = value
    assert all(
        judgments_of_item["quality_best"] != judgments_of_item["quality_worst"]
        for judgments_of_item in by_item.values()
    )
