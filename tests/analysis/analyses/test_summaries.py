"""Structured summaries: from labels of their parts to scores, systems and weights."""

import re

import numpy as np
import pandas as pd
import pytest
from django.urls import reverse

from analysis.inputs.scores import response_scores, unit_scores
from analysis.models import AnalysisRun
from analysis.runs import findings
from annotation.models import Response
from judging.design.designing import write_plans
from judging.design.plans import plans_of
from judging.instruments.files import load
from judging.models import Item, Judgment
from judging.raters.registering import register
from tests.analysis.runs.polls import analysed
from tests.analysis.whole_parts import whole_part
from tests.cast import NOW, draft_study, in_sections, rita, small_corpus

pytestmark = pytest.mark.django_db

INSTRUMENTS = (
    "overview", "heading-statement", "statement-support", "section-coverage", "summary-preference",
)  # fmt: skip
SYSTEMS = ("amber", "birch", "cedar")  # from the best to the worst
QUALITY = dict(zip(SYSTEMS, (0.95, 0.6, 0.2), strict=True))
STEPS = {1.0: "full", 0.5: "part", 0.0: "no"}
RATERS, TOPICS = 4, 6


def ranked_corpus(topics):
    """Return a corpus with a passage and a structured summary of each system for each topic."""
    corpus = small_corpus(topics=topics, responses=len(SYSTEMS))
    made = [corpus.systems.create(key=key, name=key) for key in SYSTEMS]
    for topic in corpus.topics.all():
        topic.passages.create(key=f"p-{topic.key}", rank=1, text="A passage.")
        for system, response in zip(made, topic.responses.order_by("key"), strict=True):
            Response.objects.filter(pk=response.pk).update(system=system)
            in_sections(response)
    return corpus


def labelled_study(*, topics=TOPICS, copies=False, sure=False, instruments=INSTRUMENTS):
    """Return a study in which experts rate each part by the quality of its system."""
    corpus = ranked_corpus(topics)
    study = draft_study(instruments=[load(name) for name in instruments], corpus=corpus)
    write_plans(study=study, plans=plans_of(study=study, seed=1, quota=3))
    label(study, sure=sure)
    if copies:
        for response in list(Response.objects.all()):
            Response.objects.create(
                corpus=corpus, topic=response.topic, key=f"{response.key}/no-headings",
                style="free", origin="llm", text="Without.", words=1, copy_of=response,
                without="headings",
            )  # fmt: skip
    return study


def label(study, *, sure, seed=3):
    rng = np.random.default_rng(seed)
    raters = [register(name=f"Rater {n}", kind="expert") for n in range(RATERS)]
    rows = []
    for item in Item.objects.filter(study=study).order_by("pk"):
        contents = {slot.name: slot.content for slot in item.slots.all()}
        questions = study.questions.filter(instrument__item_kind=item.kind)
        for question in questions.select_related("scale"):
            for rater in raters:
                rows.append(_judgment(rng, item, contents, question, rater, sure))
    Judgment.objects.bulk_create(rows)


def _judgment(rng, item, contents, question, rater, sure):
    common = {
        "item": item, "question": question, "rater": rater, "first_at": NOW, "answered_at": NOW
    }  # fmt: skip
    if item.kind == "pair":
        better = [QUALITY[contents[slot].system.key] for slot in "ab"]
        second = better[1] > better[0] if sure else rng.random() * sum(better) > better[0]
        chosen = "ab"[int(second)]
        return Judgment(raw=chosen, value=contents[chosen].key, **common)
    judged = ("summary", "statement", "overview", "heading")
    subject = next(contents[name] for name in judged if name in contents)
    response = subject if isinstance(subject, Response) else subject.response
    score = round(2 * min(1, max(0, rng.normal(QUALITY[response.system.key], 0.25)))) / 2
    return Judgment(raw=STEPS[score], value=STEPS[score], score=score, **common)


def rows_of(run, table, **where):
    rows = findings.records(findings.tables(run, "summaries", table))
    return [row for row in rows if all(row[name] == value for name, value in where.items())]


def made():
    study = labelled_study()
    study.analysis = {"summaries": {"ridge": 0.1}}
    study.save(update_fields=["analysis"])
    return analysed(study, pool="experts").pk


@pytest.fixture(scope="module")
def made_once(for_the_module):
    return for_the_module(made)


@pytest.fixture
def run(made_once, db):
    return AnalysisRun.objects.get(pk=made_once)


def test_scores_reach_the_table_with_intervals_and_n(run):
    table = unit_scores(run)
    table = table[table["level_of_unit"] == "response"]
    for name in ("xux", "xux_f", "xux_g", "comp", "sgss"):
        mine = table[table["measure"] == f"{name}@experts"]
        assert len(mine) == TOPICS * len(SYSTEMS)
        assert set(mine["method"]) == {"SGSS"}
        assert (mine["low"] <= mine["value"]).all()
        assert (mine["value"] <= mine["high"]).all()
        assert (mine["n"] >= RATERS).all()
    comp = table[table["measure"] == "comp@experts"]
    # K = 3 x 2 sections, K - I = 4 of others, four raters each
    assert set(comp["n"]) == {4 * RATERS}


def test_systems_of_known_quality_come_out_in_order(run, client):
    mine = response_scores(run).merge(systems_of_responses(), on="response")
    for name in ("xux", "comp", "sgss"):
        means = mine[mine["question"] == f"{name}@experts"].groupby("system")["value"].mean()
        assert list(means.sort_values(ascending=False).index) == list(SYSTEMS)
    groups = findings.records(findings.tables(run, "groups", "means"))
    ranked = [r["group"] for r in groups if r["question"] == "sgss@experts" and r["by"] == "system"]
    assert ranked == list(SYSTEMS)
    client.force_login(rita())
    study = run.study
    for part in ("responses", "systems"):
        page = client.get(whole_part(study.slug, study.version, part))
        text = re.sub(r"<[^>]*>", " ", page.content.decode())
        assert "Structured summary score (SGSS)" in text
    file = client.get(
        reverse("results_table", args=[study.slug, study.version, "summaries-scores.csv"])
    )
    assert file.status_code == 200


def systems_of_responses():
    rows = Response.objects.values_list("key", "system__key")
    return pd.DataFrame(list(rows), columns=["response", "system"])


def test_originals_are_ahead_of_their_degraded_copies(run):
    rows = rows_of(run, "degraded", without="headings")
    assert len(rows) == TOPICS * len(SYSTEMS)
    assert {row["question"] for row in rows} == {"sgss"}
    assert all(row["ahead"] for row in rows if row["expected"])
    assert rows_of(run, "degraded", without="first_section")


def test_preferences_teach_weights_and_are_foretold(run):
    weights = rows_of(run, "weights", learned_from="votes")
    agreement = {row["foretold_by"]: row for row in rows_of(run, "agreement")}
    assert [row["part"] for row in weights] == ["os", "of", "or", "hr", "srel", "sf", "comp"]
    assert agreement["given weights"]["mean_agreement_rate"] > 0.6
    assert agreement["given weights"]["topics"] == TOPICS / 2
    assert "learned without comp" in agreement
