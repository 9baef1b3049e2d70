"""Scores of all criteria of a method in one list, by judges and people."""

import numpy as np
import pytest
from scipy import stats

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.machine_calls import MODELS
from analysis.runs import findings
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.instruments.files import load
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from judging.raters.registering import register
from tests.analysis.runs.polls import analysed, closed
from tests.cast import MINUTE, NOW, begun, bob, small_study

pytestmark = pytest.mark.django_db
TOPICS, RESPONSES = 21, 2


def rated_study():
    """Return a study with grades of four criteria by a person and a model, and these grades."""
    study = small_study(
        instrument=load("answer-quality"), topics=TOPICS, responses=RESPONSES, items=100,
        batch={"closes_when_full": False},
    )  # fmt: skip
    rng = np.random.default_rng(3)
    model = register(name="Model", kind="model", model="m-1")
    assignment = begun(study, bob())
    questions = list(study.questions.order_by("position"))
    pairs, given, rows = [], [], []
    for page in draw_presentations(assignment=assignment):
        for question in questions:
            human = int(rng.integers(3))
            machine = human if rng.random() < 0.7 else int(rng.integers(3))
            pairs.append((human, machine))
            given.append(GivenAnswer(page.position, question.key, str(human)))
            rows.append(
                Judgment(
                    item_id=page.item_id, question=question, rater=model, raw=str(machine),
                    value=str(machine), score=machine, first_at=NOW, answered_at=NOW,
                )
            )  # fmt: skip
    recording.record(assignment=assignment, answers=given, now=NOW + MINUTE)
    recording.submit(assignment=assignment, now=NOW + 10 * MINUTE)
    Judgment.objects.bulk_create(rows)
    return closed(study), np.array(pairs)


@pytest.fixture(autouse=True)
def only_this(settings):
    settings.ANALYSES = {"criteria_together": CATALOGUE["criteria_together"]}


def test_tau_is_that_of_the_flattened_ratings():
    study, given = rated_study()
    run = analysed(study, pool=MODELS)
    (row,) = findings.records(findings.tables(run, "criteria_together", "together"))
    assert (row["n"], row["topics"], row["criteria"]) == (len(given), TOPICS, 4)
    assert row["tau"] == pytest.approx(stats.kendalltau(*given.T).statistic)
    assert row["rho"] == pytest.approx(stats.spearmanr(*given.T).statistic)
    differences = given[:, 1] - given[:, 0]
    assert row["difference"] == pytest.approx(differences.mean())
    assert row["upper_limit"] == pytest.approx(
        differences.mean() + 1.96 * differences.std(ddof=1), abs=1e-3
    )
    assert row["tau_low"] < row["tau"] < row["tau_high"]


def test_criteria_without_common_scores_say_so():
    study, _ = rated_study()
    Judgment.objects.filter(rater__kind="model").exclude(
        question=study.questions.order_by("position").first()
    ).delete()
    run = analysed(study, pool=MODELS)
    assert not findings.records(findings.tables(run, "criteria_together", "together"))
