"""The published numbers of the Crowd RAG Corpus 2025, through the commands."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

from analysis.analyses.grades import grades
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.inputs.settings import COMPAT, complete
from analysis.pages.results.run_results import RunResults
from tests.analysis.inputs.measured import measure

pytestmark = pytest.mark.corpus

# Krippendorff's alpha over all pairs, as the paper's data give it (ordinal, five votes a pair).
ALPHA = {
    "correctness_topical": 0.192,
    "coherence_logical": 0.180,
    "coherence_stylistic": 0.112,
    "coverage_broad": 0.284,
    "coverage_deep": 0.276,
    "consistency_internal": 0.145,
    "quality_overall": 0.169,
}


def read(folder, name):
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def ratings(corpus_dir):
    return read(corpus_dir, "ratings")


@pytest.fixture(scope="module")
def published_grades(corpus_dir):
    rows = read(corpus_dir, "grades")
    return {(row["response"], dimension): row[dimension] for row in rows for dimension in ALPHA}


@pytest.mark.parametrize("dimension", ALPHA)
def test_alpha_is_that_of_the_paper(corpus_findings, dimension):
    alpha = corpus_findings["alpha"][dimension]
    assert alpha["value"] == pytest.approx(ALPHA[dimension], abs=0.002)
    assert alpha["low"] < alpha["value"] < alpha["high"]
    assert alpha["high"] - alpha["low"] < 0.08
    assert (alpha["items"], alpha["votes"]) == (1352, 6760)


def test_the_findings_name_everything_as_the_corpus_does(corpus_findings, ratings, corpus_dir):
    assert list(corpus_findings["alpha"]) == list(ALPHA)
    pairs = {f"{row['response_a']}|{row['response_b']}" for row in ratings}
    assert set(corpus_findings["gold"]) == pairs
    assert all(list(gold) == list(ALPHA) for gold in corpus_findings["gold"].values())
    cells = [cell for gold in corpus_findings["gold"].values() for cell in gold.values()]
    assert {cell["label"] for cell in cells} == {"a", "n", "b"}
    responses = {row["response"] for row in read(corpus_dir, "grades")}
    assert set(corpus_findings["grades"]) == responses
    workers = {row["worker"] for row in read(corpus_dir, "study2_responses")}
    assert set(corpus_findings["competence"]) == workers
    assert corpus_findings["missing"] == []
    assert corpus_findings["run"]["parameters"] == complete({"votes_per_item": 5, "draws": 200})
    assert len(corpus_findings["run"]["digest"]) == 64


def test_gold_labels_are_the_published_ones_in_94_of_100_cells(corpus_findings, ratings):
    equal = [
        corpus_findings["gold"][f"{row['response_a']}|{row['response_b']}"][dimension]["label"]
        == row[f"{dimension}_gold"].lower()
        for row in ratings
        for dimension in ALPHA
    ]
    assert len(equal) == 1352 * 7
    assert np.mean(equal) >= 0.94


@pytest.mark.parametrize("dimension", ALPHA)
def test_competence_goes_with_the_published_one(corpus_findings, ratings, dimension):
    published = {
        worker: 1 - spam
        for row in ratings
        for worker, spam in zip(row["worker"], row[f"{dimension}_spam_probability"], strict=True)
    }
    own = [corpus_findings["competence"][worker][dimension]["value"] for worker in published]
    assert np.corrcoef(own, list(published.values()))[0, 1] > 0.8


@pytest.fixture(scope="module")
def graded(ratings):
    """Our grades of the published gold labels, beside the published grades."""
    gold = pd.DataFrame(
        {
            "question": dimension,
            "topic": row["query_id"],
            "a": row["response_a"],
            "b": row["response_b"],
            "gold": row[f"{dimension}_gold"].lower(),
        }
        for row in ratings
        for dimension in ALPHA
    )
    measures = [measure("a", "n", "b", key=dimension) for dimension in ALPHA]
    asked = AnalysisInput(
        gold, measures, parameters=complete({"compat": COMPAT, "draws": 20}), seed=1
    )
    return frame_of(grades(asked)["grades"])


def test_published_gold_labels_give_the_published_grades(graded, published_grades):
    cells = [
        (row.grade, published_grades[row.response, row.question]) for row in graded.itertuples()
    ]
    assert len(cells) == 2730
    assert sum(own == published for own, published in cells) >= 2650


def test_grades_differ_from_the_published_ones_only_where_responses_tie(graded, published_grades):
    graded["published"] = [
        published_grades[row.response, row.question] for row in graded.itertuples()
    ]
    graded["tied"] = graded.duplicated(["question", "topic", "grade"], keep=False)
    differ = graded[graded["grade"] != graded["published"]]
    assert differ["tied"].all()
    # The published ranks of those who tie are some order of the places that they share.
    shared = graded[graded["tied"]].groupby(["question", "topic", "grade"])["published"]
    assert np.allclose(shared.mean(), shared.mean().index.get_level_values("grade"))


def test_own_votes_give_grades_that_go_with_the_published_ones(corpus_findings, published_grades):
    own = [
        corpus_findings["grades"][response][dimension]["value"]
        for response, dimension in published_grades
    ]
    # Published are those from gold labels: about half of the grades are the same.
    assert 0.75 < np.corrcoef(own, list(published_grades.values()))[0, 1] < 0.8


def test_the_analysis_is_the_run_that_the_page_shows(imported_corpus_study, corpus_findings):
    from analysis.pages.results import pages

    run = imported_corpus_study.runs.newest_finished()
    assert run.pk == corpus_findings["run"]["id"]
    assert len(pages.worker_rows(RunResults(run))) == 420
    assert len(pages.response_rows(RunResults(run))) == 390
