"""Structured summaries: what their parameters, missing labels and copies change."""

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.summary_scoring import Scoring
from analysis.inputs.summaries import SummarySettings
from analysis.models import AnalysisRun
from analysis.runs import findings
from annotation.models import Batch, Response
from judging.design.designing import write_items
from judging.designers.questionnaires import PlannedItem
from judging.models import Item, Judgment
from judging.raters.registering import register
from tests.analysis.analyses.test_summaries import RATERS, SYSTEMS, labelled_study, rows_of
from tests.analysis.runs.polls import analysed
from tests.cast import NOW
from tests.hooks import numbers

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("summaries")]


def test_given_weights_are_tried_where_none_can_be_learned():
    """Where everybody prefers the better summary, the weights would be infinite."""
    study = labelled_study(topics=2, sure=True)
    run = analysed(study, pool="experts")
    assert rows_of(run, "weights") == []
    assert [row["foretold_by"] for row in rows_of(run, "agreement")] == ["given weights"]
    rows = findings.records(findings.tables(run, "summaries", "undefined"))
    assert any("would be infinite" in row["reason"] for row in rows)


def test_copies_in_the_corpus_have_the_labels_of_their_originals():
    run = analysed(labelled_study(topics=2, copies=True), pool="experts")
    xux = {row["response"]: row["value"] for row in rows_of(run, "scores", question="xux@experts")}
    copies = [key for key in xux if key.endswith("/no-headings")]
    assert len(copies) == 2 * len(SYSTEMS)
    assert all(xux[key] <= xux[key.removesuffix("/no-headings")] for key in copies)


def test_a_summary_without_all_its_labels_has_no_score_and_a_sentence():
    study = labelled_study(topics=1)
    first = Item.objects.filter(kind="overview_sections").first()
    Judgment.objects.filter(item=first).delete()
    run = analysed(study, pool="experts")
    assert len(rows_of(run, "scores", question="xux@experts")) == len(SYSTEMS) - 1
    rows = findings.records(findings.tables(run, "summaries", "undefined"))
    assert any(3 in numbers(row["reason"]) for row in rows)


def votes_on(study, pairs):
    """All raters prefer the first of each pair of texts."""
    question = study.questions.get(instrument__item_kind="pair")
    raters = [register(name=f"Rater {n}", kind="expert") for n in range(RATERS)]
    planned = [
        PlannedItem((first.pk, second.pk), first.topic_id, 0, (first.pk, second.pk))
        for first, second in pairs
    ]
    items = write_items(study=study, kind="pair", planned=planned)
    Judgment.objects.bulk_create(
        Judgment(
            item=item, question=question, rater=rater, raw="a", value=first.key,
            first_at=NOW, answered_at=NOW,
        )
        for item, (first, _) in zip(items, pairs, strict=True)
        for rater in raters
    )  # fmt: skip


def test_votes_on_degraded_copies_count_and_others_are_counted_out():
    """Of each of two topics three pairs of originals, and three originals with their copies."""
    asked = ("heading-section", "summary-preference")
    study = labelled_study(topics=2, copies=True, instruments=asked)
    copies = Response.objects.exclude(copy_of=None).select_related("copy_of")
    votes_on(study, [(copy.copy_of, copy) for copy in copies])
    plain = Response.objects.create(
        corpus=study.corpus, topic=copies[0].topic, key="plain", style="free", origin="llm",
        text="No parts.", words=2,
    )  # fmt: skip
    votes_on(study, [(copies[0].copy_of, plain)])
    run = analysed(study, pool="experts")
    (given,) = rows_of(run, "agreement", foretold_by="given weights")
    assert (given["pairs"], given["labels"]) == (3 + 3, (3 + 3) * RATERS)
    reasons = [row["reason"] for row in rows_of(run, "undefined", about="preference@experts")]
    assert any(numbers(sentence)[:2] == [RATERS, (2 * 6 + 1) * RATERS] for sentence in reasons)


def test_parameters_say_weights_and_lines():
    study = labelled_study(topics=1)
    study.analysis = {"summaries": {"weights": {"hr": 0.0}, "most_lines": 1, "comp": 0.5}}
    study.save(update_fields=["analysis"])
    run = analysed(study, pool="experts")
    value = {(row["question"], row["response"]): row["value"] for row in rows_of(run, "scores")}
    for key in Response.objects.values_list("key", flat=True):
        whole = value["xux@experts", key] + 0.5 * value["comp@experts", key]
        assert value["sgss@experts", key] == pytest.approx(whole)
        assert value["xux@experts", key] <= 3  # of the overview alone, each part with weight 1
    assert AnalysisRun.objects.get(pk=run.pk).parameters["summaries"]["comp"] == 0.5
    assert Batch.objects.exists()


@pytest.mark.parametrize(
    ("given", "speed"),
    [({}, 500), ({"language": "en"}, 987), ({"language": "en", "characters_a_minute": 60.0}, 60)],
)
def test_lines_that_are_read_follow_from_the_language(given, speed):
    lines = pd.DataFrame({"kind": ["overview", "section", "statement"], "characters": [40, 0, 20]})
    scoring = Scoring(SummarySettings(minutes=0.5, **given), lines, [], covers=False)
    assert scoring.most == int(speed * 0.5 / 30)


def test_a_heading_can_be_judged_by_itself():
    """One label a heading instead of one a statement; what was said of it counts as it is."""
    run = analysed(labelled_study(topics=2, instruments=("heading-section",)), pool="experts")
    rows = rows_of(run, "scores", question="xux@experts")
    assert len(rows) == 2 * len(SYSTEMS)
    judgments = Judgment.objects.filter(item__kind="heading_section")
    assert {row["n"] for row in rows} == {2 * RATERS}  # two headings a summary
    for row in rows:
        items = Item.objects.filter(slots__segment__response__key=row["response"]).distinct()
        first, second = (
            np.mean(judgments.filter(item=item).values_list("score", flat=True))
            for item in items.order_by("pk")
        )
        # seven lines, a heading in the second and in the fifth: X(l) = gains so far / l
        read = np.array([0, 1, 1, 1, 1, 1, 1]) / np.arange(1, 8)
        assert row["value"] == pytest.approx(
            (first * read.sum() + second * read[4:].sum()) / 7, abs=1e-6
        )
    assert rows_of(run, "degraded", without="headings")
