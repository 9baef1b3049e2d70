"""A study of 12 topics × 3 summaries, labelled by people and a model on one page each.

Scores are computed again from the exported ratings, without the code of the product.
"""

import csv
import re
from collections import defaultdict
from io import StringIO

import numpy as np
import pytest
from scipy import stats

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from analysis.models import AnalysisRun
from analysis.pages.results.presentation.summaries import figures
from analysis.pages.results.run_results import RunResults
from analysis.stats.summaries.preference_weights import mean_agreement
from annotation.models import Response
from judging.design.designing import write_plans
from judging.design.plans import plans_of
from judging.instruments.files import load
from judging.items.contents import slots_asked
from judging.items.kinds import item_kind
from judging.models import Item, Judgment
from judging.raters.registering import register
from tests.analysis.analyses.test_summaries import QUALITY, STEPS, SYSTEMS, ranked_corpus, rows_of
from tests.analysis.runs.polls import analysed
from tests.cast import NOW, draft_study

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("summaries")]
TOPICS, EXPERTS = 12, 3
KIND = item_kind("summary_pair")


def studied():
    """Return a study in which three experts and a model answered all pages."""
    corpus = ranked_corpus(TOPICS)
    study = draft_study(instrument=load("summary-pair"), corpus=corpus)
    write_plans(study=study, plans=plans_of(study=study, seed=1, quota=3))
    rng = np.random.default_rng(5)
    raters = [register(name=f"Rater {n}", kind="expert") for n in range(EXPERTS)]
    raters.append(register(name="Model", kind="model", model="m-1"))
    rows = []
    for item in Item.objects.filter(study=study).order_by("pk"):
        contents = {slot.name: slot.content for slot in item.slots.all()}
        for question in study.questions.select_related("scale"):
            for slot in slots_asked(question, KIND, contents):
                rows += [_judgment(rng, item, contents, question, slot, rater) for rater in raters]
    Judgment.objects.bulk_create(rows)
    study.analysis = {"summaries": {"ridge": 0.1}}
    study.save(update_fields=["analysis"])
    return study


def _judgment(rng, item, contents, question, slot, rater):
    common = {
        "item": item, "question": question, "rater": rater, "slot": slot, "first_at": NOW,
        "answered_at": NOW,
    }  # fmt: skip
    if not slot:
        better = [QUALITY[contents[side].system.key] for side in "ab"]
        chosen = "ab"[int(rng.random() * sum(better) > better[0])]
        return Judgment(raw=chosen, value=contents[chosen].key, **common)
    content = contents[slot]
    response = content if isinstance(content, Response) else content.response
    if question.key == "covered":
        (response,) = {contents[side] for side in "ab"} - {response}
    score = round(2 * min(1, max(0, rng.normal(QUALITY[response.system.key], 0.25)))) / 2
    return Judgment(raw=STEPS[score], value=STEPS[score], score=score, **common)


def entropy(p):
    p = np.array(p)
    return -sum(x * np.log2(x) for x in p if x > 0)


def computed_again(ratings, items):
    """Return XUX, Comp and SGSS by response from exported rows, for the layout of `in_sections`."""
    given = defaultdict(lambda: defaultdict(list))  # (part, unit) -> rater -> answers
    for row in ratings:
        slots = items[row["item"]]
        unit = slots.get(row["slot"])
        if unit is None:
            continue
        if row["question"] == "covered":
            owner = unit.rpartition(":")[0]
            unit = (unit, slots["b"] if slots["a"] == owner else slots["a"])
        given[row["question"], unit][row["rater"]].append(float(row["score"]))

    def mean(question, unit):
        return float(np.mean([np.mean(answers) for answers in given[question, unit].values()]))

    found = {}
    topics = defaultdict(set)
    for slots in items.values():
        topics[slots["a"][:-1]] |= {slots["a"], slots["b"]}
    for responses in topics.values():
        sections = [f"{key}:{line}" for key in sorted(responses) for line in (2, 6)]
        for key in responses:
            gains = [
                sum(
                    mean(q, f"{key}:1")
                    for q in ("sufficiency", "faithfulness", "representativeness")
                )
                / 3
            ]
            for heading, *statements in ((3, 4, 5), (7, 8, 9)):
                gains.append(mean("heading", f"{key}:{heading}"))
                for line in statements:
                    cites = ("support", f"{key}:{line}") in given
                    support = mean("support", f"{key}:{line}") if cites else 0.0
                    gains.append((mean("relevance", f"{key}:{line}") + support) / 2)
            xux = np.mean(np.cumsum(gains) / np.arange(1, 8))
            g = np.array(
                [1.0 if s.startswith(f"{key}:") else mean("covered", (s, key)) for s in sections]
            )
            f, u = g / g.sum(), np.full(len(g), 1 / len(g))
            comp = 1 - (entropy((f + u) / 2) - (entropy(f) + entropy(u)) / 2)
            found[key] = {"xux": xux, "comp": comp, "sgss": xux + comp}
    return found


def exported(run):
    """Return the labels as their file has them, with scores, and the slots of each item."""
    source = ExportSource.of(study=run.study, run=run)
    text = b"".join(stream(source=source, name="labels.csv")).decode()
    rows = list(csv.DictReader(StringIO(text)))
    scores = {code: score for score, code in STEPS.items()}
    for row in rows:
        row["question"] = row["question"].partition("@")[0]
        row["score"] = scores.get(row["value"])
    items = {
        row["item"]: {
            name.removeprefix("response_"): key
            for name, key in row.items()
            if name.startswith("response_") and key
        }
        for row in rows
    }
    return rows, items


def made():
    return analysed(studied(), pool="experts").pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def run(made_once, db):
    return AnalysisRun.objects.get(pk=made_once)


def test_scores_are_those_of_the_exported_labels(run):
    rows, items = exported(run)
    assert len(rows) == 36 * 31 * (EXPERTS + 1)
    again = computed_again([row for row in rows if row["kind"] == "expert"], items)
    assert len(again) == TOPICS * len(SYSTEMS)
    for name in ("xux", "comp", "sgss"):
        shown = {
            r["response"]: r["value"] for r in rows_of(run, "scores", question=f"{name}@experts")
        }
        assert shown == pytest.approx({key: scores[name] for key, scores in again.items()})


@pytest.mark.parametrize("source", ["experts", "models", "combined"])
def test_agreement_by_source_is_that_of_the_exported_labels(run, source):
    rows, items = exported(run)
    kinds = {"experts": {"expert"}, "models": {"model"}, "combined": {"expert", "model"}}[source]
    sgss = {
        key: scores["sgss"]
        for key, scores in computed_again([r for r in rows if r["kind"] in kinds], items).items()
    }
    preferred = defaultdict(list)
    for row in rows:
        if row["question"] == "preference" and row["kind"] == "expert":
            preferred[row["item"]].append(row["value"])
    pairs = rows_of(run, "pairs", labels_of=source, foretold_by="given weights")
    rates = []
    for pair in pairs:
        ahead = pair["a"] if sgss[pair["a"]] > sgss[pair["b"]] else pair["b"]
        votes = preferred[f"summary_pair:{pair['a']}|{pair['b']}"]
        rates.append(votes.count(ahead) / len(votes))
        assert pair["difference"] == pytest.approx(sgss[pair["a"]] - sgss[pair["b"]])
        assert (pair["preferences"], pair["agreement_rate"]) == (EXPERTS, pytest.approx(rates[-1]))
    (mar,) = rows_of(run, "agreement", labels_of=source, foretold_by="given weights")
    assert mar["mean_agreement_rate"] == pytest.approx(np.mean(rates))
    assert mar["low"] < mar["mean_agreement_rate"] < mar["high"]
    assert (mar["pairs"], mar["topics"]) == (18, 6)


def test_weights_are_learned_from_votes_and_from_assumed_preferences(run):
    votes, copies = (
        rows_of(run, "weights", labels_of="experts", learned_from=name)
        for name in ("votes", "votes and copies")
    )
    assert {row["labels"] for row in votes} == {18 * EXPERTS}
    # Of each of 18 summaries at most two copies; equal ones teach nothing.
    assert 18 * EXPERTS < copies[0]["labels"] <= 18 * EXPERTS + 36
    by_part = {row["part"]: row["weight"] for row in copies}
    assert by_part["hr"] > 1  # deleted headings are always worse


def test_few_topics_say_why_there_is_no_interval():
    rates = np.array([1.0, 0.5, 1.0, 0.0])
    found = mean_agreement(rates, ["t1", "t1", "t2", "t2"])
    assert (found.value, found.low, found.high) == (0.625, None, None)
    assert found.why
    assert mean_agreement(np.ones(12), list("abcdef") * 2).low is None


def test_an_interval_of_agreement_is_that_of_a_formula():
    rng = np.random.default_rng(2)
    rates, topics = rng.random(24), [f"t{n // 3}" for n in range(24)]
    sums = (rates - rates.mean()).reshape(8, 3).sum(axis=1)
    p = (rates.sum() + 0.5) / 25
    reach = stats.t.ppf(0.975, 7) * np.sqrt(8 / 7 * (sums**2).sum()) / 24 / (p * (1 - p))
    found = mean_agreement(rates, topics)
    odds = np.exp(np.log(p / (1 - p)) + np.array([-reach, reach]))
    assert (found.low, found.high) == pytest.approx(tuple(odds / (1 + odds)))


def test_each_summary_is_a_sign_in_the_plot_of_both_scores(run):
    (drawn,) = figures(RunResults(run))
    for svg in (drawn.wide, drawn.narrow):
        titles = re.findall(r"<g><title>([^<]*)</title>", svg)
        assert len(titles) == TOPICS * len(SYSTEMS)
        assert {title.partition(",")[0] for title in titles} == set(SYSTEMS)
    xux = {r["response"]: r["value"] for r in rows_of(run, "scores", question="xux@experts")}
    first = Response.objects.order_by("system__key", "topic", "key").first()
    assert f"{xux[first.key]:.2f}"[:3] in re.findall(r"<g><title>([^<]*)</title>", drawn.wide)[0]


def test_labels_of_comprehensiveness_are_compared_with_the_scores(run):
    rows, items = exported(run)
    experts = [row for row in rows if row["kind"] == "expert"]
    scores = computed_again(experts, items)
    labels = defaultdict(lambda: defaultdict(list))
    for row in experts:
        if row["question"] == "comprehensiveness":
            labels[items[row["item"]][row["slot"]]][row["rater"]].append(float(row["score"]))
    means = {
        key: np.mean([np.mean(given) for given in by_rater.values()])
        for key, by_rater in labels.items()
    }
    assert len(means) == TOPICS * len(SYSTEMS)
    for name in ("comp", "xux", "sgss"):
        (shown,) = rows_of(run, "comprehensive", measured_by=name)
        values = [[round(scores[key][name], 9), round(means[key], 9)] for key in sorted(means)]
        tau = stats.kendalltau(*np.transpose(values)).statistic
        assert shown["tau"] == pytest.approx(tau)
        assert (shown["summaries"], shown["topics"]) == (36, TOPICS)
        assert shown["labels"] == 36 * EXPERTS
