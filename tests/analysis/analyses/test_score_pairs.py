"""Scores by models beside those by people: what a run finds, what it refuses, and the page."""

import numpy as np
import pytest
import scipy
from django.urls import reverse

from analysis.inputs.machine_calls import MODELS
from analysis.pages.results import findings_json
from analysis.runs import findings
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.models import Item, Judgment, Rater
from tests.analysis.analyses.test_retrieval import TWO, contents, grade, relevance, study_of
from tests.analysis.runs.polls import analysed, closed, vote
from tests.cast import NOW, rita, small_study, tiny_instrument
from tests.hooks import numbers

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def only_this(settings):
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES = {"score_pairs": CATALOGUE["score_pairs"]}


def scored(people, topics=1, responses=4):
    """Items in the order of their keys, and each person's grades of them, 0 to 9."""
    options = [
        OptionSpec(code=str(k), label=f"Level {k}", score=k, role="score") for k in range(10)
    ]
    scale = ScaleSpec(key="ten", kind="options", options=options)
    spec = QuestionSpec("better", "better", "ten", "How good is it?")
    instrument = tiny_instrument(
        name="ten-pointwise", item_kind="response", scales=[scale], questions=[spec]
    )
    study = small_study(
        instrument=instrument, topics=topics, responses=responses, items=100, quota=9, cap=9,
        batch={"closes_when_full": False},
    )  # fmt: skip
    for name, grades in people.items():
        vote(study, name, grades)
    return closed(study)


def say(study, name, grades):
    """Return the grades of a model; "-" for an item without one."""
    rater = Rater.objects.create(kind="model", name=name, pseudonym=name, model=name)
    for item, given in zip(Item.objects.filter(study=study).order_by("key"), grades, strict=True):
        if given != "-":
            Judgment.objects.create(
                rater=rater, item=item, question=study.questions.get(), raw=given, value=given,
                score=int(given), shown="", first_at=NOW, answered_at=NOW,
            )  # fmt: skip


def rows(study, table):
    return findings.records(findings.tables(analysed(study, pool=MODELS), "score_pairs", table))


def needs(study):
    """Return the numbers of each reason: how many of something it needs, and there are."""
    return {tuple(numbers(row["reason"])) for row in rows(study, "undefined")}


def reasons(study):
    return " ".join(row["reason"] for row in rows(study, "undefined"))


def test_another_judge_makes_a_difference_from_people_harder_to_claim():
    study = scored({"bob": "12345678", "dora": "32547698"}, topics=4, responses=2)
    say(study, "gpt", "13529687")
    say(study, "llama", "24639798")
    paired = sorted(rows(study, "paired"), key=lambda row: row["p"])
    assert paired[0]["p_adjusted"] == pytest.approx(2 * paired[0]["p"])
    assert paired[1]["p_adjusted"] == pytest.approx(max(paired[1]["p"], 2 * paired[0]["p"]))


def test_scores_of_a_model_beside_the_means_of_people():
    """Oracle: scipy, on the means of two people and the grades of the model."""
    study = scored({"bob": "12345678", "dora": "32547698"}, topics=4, responses=2)
    people, model = np.array([2, 2, 4, 4, 6, 6, 8, 8]), np.array([1, 3, 5, 2, 9, 6, 8, 7])
    say(study, "gpt", "13529687")
    (ranks,) = [row for row in rows(study, "ranks") if row["of"] == "items"]
    assert ranks["rho"] == pytest.approx(scipy.stats.spearmanr(model, people).statistic)
    assert ranks["tau"] == pytest.approx(scipy.stats.kendalltau(model, people).statistic)
    assert (ranks["units"], ranks["topics"], ranks["rho_low"]) == (8, 4, None)
    (paired,) = rows(study, "paired")
    assert paired["of"] == "items"
    by_topic = [each.reshape(4, 2).mean(axis=1) for each in (model, people)]
    oracle = scipy.stats.ttest_rel(*by_topic)
    assert (paired["t"], paired["p"]) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert paired["df"] == oracle.df == 3
    assert paired["p_adjusted"] == paired["p"]  # a family of one
    assert (paired["low"], paired["high"]) == (None, None)
    assert {(10, 4), (20, 4)} <= needs(study)
    assert paired["score"] - paired["people_score"] == pytest.approx(paired["difference"])
    (limits,) = rows(study, "limits")
    sd = (model - people).std(ddof=1)
    assert limits["upper_limit"] == pytest.approx((model - people).mean() + 1.959964 * sd)
    assert limits["lower_low"] is None
    assert sum(row["units"] for row in rows(study, "spots")) == 8
    assert "differences of grades and of reciprocal ranks are not normal" in reasons(study)


def test_systems_stand_side_by_side():
    study = scored({"bob": "139139"}, topics=2, responses=3)
    for key in "abc":
        system = study.corpus.systems.create(key=key, name=key)
        study.corpus.responses.filter(key__endswith=key).update(system=system)
    say(study, "gpt", "257257")
    found = {row["system"]: (row["people_score"], row["score"]) for row in rows(study, "means")}
    assert found == {"a": (1, 2), "b": (3, 5), "c": (9, 7)}
    (ranks,) = [row for row in rows(study, "ranks") if row["of"] == "means of systems"]
    assert (ranks["tau"], ranks["units"], ranks["rho_low"]) == (1, 3, None)


@pytest.mark.parametrize(
    ("people", "model", "sentence"),
    [
        ("1111", "1234", "all values of one measure are equal"),
        ("12", "21", "at least 3 values"),
        ("1234", "2345", "all differences are equal"),
        ("1234", "1---", "at least two values"),
    ],
)
def test_what_cannot_be_computed_is_said(people, model, sentence):
    study = scored({"bob": people}, responses=len(people))
    say(study, "gpt", model)
    assert sentence in reasons(study)


def test_rankings_are_measured_by_grades_of_both(settings):
    """People find only p3 very relevant: x ranks it second and first, y first, z nowhere.

    The model finds p1 relevant: x ranks it first in t1.
    """
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES |= {"retrieval": CATALOGUE["retrieval"]}
    runs = {"z": {"t1": ["p2"]}, **TWO}
    study = study_of("retrieval-relevance", runs, topics=("t1", "t2"))
    grade(study, "bob", relevance)
    passages = [contents(item)["passage"] for item in study.items.order_by("key")]
    say(study, "gpt", "".join({"p1": "2", "p2": "1", "p3": "0"}[passage] for passage in passages))
    of = "MRR@5, grade from 2"
    found = {
        row["system"]: (row["people_score"], row["score"])
        for row in rows(study, "means")
        if row["of"] == of
    }
    assert found == {"x": (0.75, 0.5), "y": (0.5, 0), "z": (0, 0)}
    (ranks,) = [row for row in rows(study, "ranks") if row["of"] == of]
    assert ranks["tau"] == pytest.approx(scipy.stats.kendalltau([0.75, 0.5, 0], [0.5, 0, 0])[0])
    (paired,) = [row for row in rows(study, "paired") if row["of"] == of]
    people, model = [(0.5 + 1) / 3, 1 / 3], [1 / 3, 0]
    assert paired["t"] == pytest.approx(scipy.stats.ttest_rel(model, people).statistic)
    (limits,) = [row for row in rows(study, "limits") if row["of"] == of]
    assert (limits["units"], limits["topics"]) == (6, 2)


def test_missing_common_items_give_a_reason():
    study = scored({})
    say(study, "gpt", "1234")
    (step,) = analysed(study, pool=MODELS).steps.all()
    assert "no item has scores by both" in step.result.missing


def test_people_alone_have_no_such_analysis():
    study = scored({"bob": "1234"})
    assert not analysed(study).steps.exists()


def test_the_page_of_judges_and_the_findings_show_it(client):
    study = scored({"bob": "12345678", "dora": "32547698"}, topics=4, responses=2)
    say(study, "gpt", "13529687")
    run = analysed(study, pool=MODELS)
    assert findings_json.as_json(run)["score_pairs"]["paired"][0]["df"] == 3
    client.force_login(rita())
    page = reverse("results_part", args=[study.slug, study.version, "judges"])
    text = client.get(page, {"pool": MODELS, "section": "all"}).content.decode()
    for said in ("Scores by LLM judges and people", "Spearman&#x27;s rho", "Paired t test",
                 "Limits of agreement (Bland and Altman)", "gpt and people"):  # fmt: skip
        assert said in text
    assert "None" not in text
