"""The export of the Crowd RAG Corpus 2025 beside the files that were published."""

import json
import re
from collections import Counter

import pandas as pd
import pytest

from analysis.exports.exporting import write_bundle
from tests.analysis.exports.exported import jsonl

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def corpus_bundle(imported_corpus_study, tmp_path_factory):
    out = tmp_path_factory.mktemp("corpus")
    write_bundle(study=imported_corpus_study, out=out)
    return out


def test_ratings_have_the_published_keys_in_the_published_order(corpus_bundle, corpus_dir):
    published = jsonl(corpus_dir / "ratings.jsonl.gz")
    ours = jsonl(corpus_bundle / "ratings.jsonl.gz")
    assert len(ours) == len(published) == 1352
    for one, other in zip(ours, published, strict=True):
        assert list(one) == list(other)
        assert [type(cell) for cell in one.values()] == [type(cell) for cell in other.values()]


def test_votes_and_workers_equal_the_published_ones_but_for_capitals(corpus_bundle, corpus_dir):
    published = jsonl(corpus_dir / "ratings.jsonl.gz")
    ours = jsonl(corpus_bundle / "ratings.jsonl.gz")
    votes = [key for key in published[0] if key.endswith("_vote")]
    assert len(votes) == 7
    for one, other in zip(ours, published, strict=True):
        for key in ("query_id", "response_a", "response_b", "worker", *votes):
            # The published file has votes in capitals, and gold labels in small letters.
            theirs = [vote.lower() for vote in other[key]] if key in votes else other[key]
            assert one[key] == theirs, key


def test_it_names_the_questionnaire_that_the_votes_are_from(corpus_bundle, corpus_dir):
    """Of 10 of the 32 pairs with two questionnaires the published file names the other one."""
    raw = {
        (row["submission_id"], row["worker"], row["response_a"], row["response_b"])
        for row in jsonl(corpus_dir / "study2_responses.jsonl.gz")
    }
    differ = 0
    published = jsonl(corpus_dir / "ratings.jsonl.gz")
    for one, other in zip(jsonl(corpus_bundle / "ratings.jsonl.gz"), published, strict=True):
        rest = (one["worker"][0], one["response_a"], one["response_b"])
        assert (one["submission_id"], *rest) in raw
        if one["submission_id"] != other["submission_id"]:
            assert (other["submission_id"], *rest) not in raw
            differ += 1
    assert differ == 10


def test_gold_labels_are_those_of_another_start_of_the_same_model(corpus_bundle, corpus_dir):
    same = Counter()
    published = jsonl(corpus_dir / "ratings.jsonl.gz")
    for one, other in zip(jsonl(corpus_bundle / "ratings.jsonl.gz"), published, strict=True):
        same.update(one[key] == other[key] for key in other if key.endswith("_gold"))
        for dimension in ("coverage_deep", "quality_overall"):
            total = sum(value for key, value in one.items() if key.startswith(f"{dimension}_p_"))
            assert total == pytest.approx(1, abs=1e-8)
    assert same[True] / same.total() > 0.95


PUBLISHED_RESPONSE = (
    "response", "topic", "style", "kind", "query", "references_ids", "references_texts",
    "raw_text", "cleaned_text", "statements",
)  # fmt: skip


def test_grades_and_responses_have_the_published_schema(corpus_bundle, corpus_dir):
    published = {row["response"]: row for row in jsonl(corpus_dir / "grades.jsonl.gz")}
    ours = {row["response"]: row for row in jsonl(corpus_bundle / "grades.jsonl.gz")}
    assert set(ours) == set(published)
    assert {tuple(row) for row in ours.values()} == {tuple(row) for row in published.values()}
    cells = [cell for row in ours.values() for cell in list(row.values())[1:]]
    assert {type(cell) for cell in cells} == {float}
    texts = {row["response"]: row for row in jsonl(corpus_dir / "study1_responses_llm.jsonl.gz")}
    judged = jsonl(corpus_bundle / "responses.jsonl.gz")
    assert len(judged) == 390
    llm = [row for row in judged if row["response"] in texts]
    for row in llm:
        published = texts[row["response"]]
        assert {name: row[name] for name in published} == published
    assert {tuple(row)[:10] for row in judged} == {PUBLISHED_RESPONSE}
    assert {(row["kind"], row["response"] in texts) for row in judged} == {
        ("llm", True),
        ("human", False),
    }


def test_responses_have_what_the_published_notebooks_read(corpus_bundle, corpus_dir):
    """The steps of notebooks 2, 3 and 7 that failed without these columns, in pandas."""
    retrieval = {row["topic"]: row for row in jsonl(corpus_dir / "study1_retrieval.jsonl.gz")}
    rows = jsonl(corpus_bundle / "responses.jsonl.gz")
    for row in rows:
        published = retrieval[row["topic"]]
        assert row["query"] == published["query"]
        assert row["references_ids"] == published["references_ids"]
        assert row["references_texts"] == published["references_texts"]
        cited = [key for statement in row["statements"] for key in statement["citations"]]
        assert set(cited) <= set(row["references_ids"])
        assert not re.search(r"\[\d+\]", row["cleaned_text"])
    frame = pd.DataFrame(rows).explode("statements")
    cites = frame["statements"].map(lambda each: len(each["citations"])).groupby(frame["kind"])
    # Table 3 of the paper: citations a statement, over all texts of either kind 1.62 and 1.93.
    assert cites.mean()["llm"] > cites.mean()["human"] > 1


def test_the_manifest_counts_what_is_in_the_files(corpus_bundle):
    manifest = json.loads((corpus_bundle / "manifest.json").read_text())
    rows = {file["file"]: file["rows"] for file in manifest["files"]}
    assert rows["ratings.csv"] == 6760
    assert rows["votes.jsonl.gz"] == rows["votes.csv"] == 48440
    assert rows["gold.csv"] == 9464
    assert manifest["notes"] == []
    assert len(manifest["run"]["digest"]) == 64
