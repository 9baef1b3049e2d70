"""The files that a replication reads beside those of the import, in made-up samples."""

import gzip
import json

import pytest

from analysis.replication import corpus_files
from analysis.replication.corpus_files import DIMENSIONS, AbsentFile
from analysis.replication.judging_study import PublishedFiles
from annotation.corpora.crowdrag import BadCorpus
from judging.crowdrag.rows import DIMENSIONS as COLUMNS
from judging.crowdrag.rows import LLM_RATINGS
from tests.analysis.coded_errors import cannot_compute
from tests.coded_errors import raises


def write(folder, name, rows):
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / name).write_bytes(gzip.compress(lines.encode()))
    return folder


def llm(a, b, inference="combined", label="a", **changes):
    row = {"query_id": "t1", "response_a": a, "response_b": b, "inference": inference}
    return row | dict.fromkeys(DIMENSIONS, label) | changes


def expert(**changes):
    columns = {
        "submission_id": {"0": "s", "1": "s", "7": "s"},
        "prolific_pid": {"0": "annot1", "1": "annot3", "7": "annot4"},
        "query_id": {"0": "t1", "1": "t1", "7": "t1"},
        "response_a": {"0": "r1", "1": "r1", "7": "r1"},
        "response_b": {"0": "r2", "1": "r2", "7": "r2"},
    }
    votes = {column: {"0": "A", "1": "N", "7": "B"} for column in COLUMNS}
    return columns | votes | changes


def point(response, vote, worker="w1", topic="t1", submitted_at=1_730_419_200_000, **changes):
    row = {
        "submission_id": "q1",
        "submitted_at": submitted_at,
        "worker": worker,
        "query_id": topic,
        "response": response,
    }
    return row | dict.fromkeys(DIMENSIONS, vote) | changes


# -- Ratings of the model ---------------------------------------------------------------------


def test_llm_ratings_are_turned_to_the_sorted_pair_and_the_first_two_count(tmp_path):
    rows = [
        llm("r2", "r1", coverage_deep="n"),  # r2 preferred: slot b of the sorted pair
        llm("r1", "r2", label="B", coverage_deep=None),
        llm("r1", "r2", label="a"),  # the third one
        llm("r1", "r2", inference="individual", label="n"),
    ]
    found = corpus_files.llm_ratings(write(tmp_path, LLM_RATINGS, rows))
    assert list(found["response_a"]) == ["r1"] * 3
    assert list(found["inference"]) == ["combined", "combined", "individual"]
    assert list(found["rater"]) == [0, 1, 0]
    assert list(found["quality_overall"]) == ["b", "b", "n"]
    assert list(found["coverage_deep"].fillna("nothing")) == ["n", "nothing", "n"]


def test_a_rating_without_a_field_is_named_with_its_line(tmp_path):
    row = llm("r1", "r2")
    del row["coverage_deep"]
    write(tmp_path, LLM_RATINGS, [llm("r1", "r2"), row])
    with raises(BadCorpus, "bad_row", match=r"llm_ratings.jsonl.gz:2: .*coverage_deep"):
        corpus_files.llm_ratings(tmp_path)


def test_a_file_that_breaks_off_is_named(tmp_path):
    whole = gzip.compress(b"".join(json.dumps(llm("r1", f"r{n}")).encode() for n in range(99)))
    (tmp_path / LLM_RATINGS).write_bytes(whole[: len(whole) // 2])
    with raises(BadCorpus, "unreadable", match=r"llm_ratings.jsonl.gz:1: "):
        corpus_files.llm_ratings(tmp_path)


@pytest.mark.parametrize("reader", ["llm_ratings", "expert_votes", "pointwise_votes"])
def test_an_absent_file_says_so(tmp_path, reader):
    with pytest.raises(AbsentFile, match=r"\.jsonl\.gz"):
        getattr(corpus_files, reader)(tmp_path)


# -- Votes of experts -------------------------------------------------------------------------


def test_of_the_experts_three_count_and_validity_is_topical_correctness(tmp_path):
    found = corpus_files.expert_votes(write(tmp_path, corpus_files.EXPERTS, [expert()]))
    assert list(found["worker"]) == ["annot1", "annot4"]
    assert list(found["correctness_topical"]) == ["a", "b"]


@pytest.mark.parametrize(
    ("rows", "code", "shown"),
    [
        ([expert(validity={"0": "A", "1": "N"})], "missing_row", r"validity: .*\b7\b"),
        (
            [expert(validity={"0": "A", "1": "N", "7": "x"})],
            "bad_row",
            r"expert-response.jsonl.gz: .*'x'",
        ),
        ([{"submission_id": {}}], "bad_row", "expert-response.jsonl.gz: .*prolific_pid"),
        ([expert(), expert()], "bad_row", "expert-response.jsonl.gz: "),
        ([expert(prolific_pid=dict.fromkeys("017", "somebody"))], "no_expert_votes", "annot1"),
    ],
)
def test_columns_that_do_not_fit_together_are_named(tmp_path, rows, code, shown):
    write(tmp_path, corpus_files.EXPERTS, rows)
    with raises(BadCorpus, code, match=shown):
        corpus_files.expert_votes(tmp_path)


# -- Pointwise votes --------------------------------------------------------------------------


def passes(*topics, worker, minute=0, times=1):
    """Return a worker's submission: the topics `times` times, passes a minute apart."""
    return [
        point(
            f"{worker}-{again}-{place}",  # an id of its own in every row
            -1 if again else 1,
            worker,
            topic,
            submitted_at=1_730_419_200_000 + 60_000 * (minute + again),
        )
        for again in range(times)
        for place, topic in enumerate(topics)
    ]


def votes_of(tmp_path, rows):
    return corpus_files.pointwise_votes(write(tmp_path, corpus_files.POINTWISE, rows))


@pytest.mark.parametrize("times", [(1, 2, 1), (3, 1, 2), (2, 2, 2)])
@pytest.mark.parametrize("topics", [("t1", "t2", "t3"), ("t1", "t1", "t2", "t3")])
def test_of_a_pass_that_stands_twice_the_first_counts(tmp_path, times, topics):
    rows = [
        row
        for number, many in enumerate(times)
        for row in passes(*topics, worker=f"w{number}", times=many)
    ]
    votes_read = votes_of(tmp_path, rows)
    assert len(votes_read) == 3 * len(topics)
    assert votes_read["item"].nunique() == len(topics)
    assert set(votes_read["quality_overall"]) == {1}  # what the second pass says is -1


def test_a_pass_counts_once_where_both_were_sent_at_the_same_moment(tmp_path):
    rows = passes("t1", "t2", worker="w1") + passes("t1", "t2", worker="w2") * 2
    assert len(votes_of(tmp_path, rows)) == 4


def test_topics_that_take_turns_are_one_pass(tmp_path):
    rows = [row for w in ("w1", "w2") for row in passes("t1", "t2", "t1", "t2", worker=w)]
    assert sorted(votes_of(tmp_path, rows)["item"].value_counts()) == [2, 2, 2, 2]


def test_who_did_not_finish_keeps_what_was_answered(tmp_path):
    rows = passes("t1", "t2", "t3", worker="w1") + passes("t1", "t2", worker="w2")
    votes_read = votes_of(tmp_path, rows)
    assert sorted(votes_read["item"].value_counts()) == [1, 2, 2]


def test_topics_tell_items_apart_whatever_the_order_of_a_worker(tmp_path):
    rows = passes("t1", "t2", worker="w1") + passes("t2", "t1", worker="w2", times=2)
    votes_read = votes_of(tmp_path, rows)
    assert sorted(votes_read["item"]) == ["q1:t1:1", "q1:t1:1", "q1:t2:1", "q1:t2:1"]


def test_responses_that_nobody_could_match_are_refused(tmp_path):
    rows = passes("t1", "t1", "t2", worker="w1") + passes("t1", "t2", "t1", worker="w2")
    with raises(BadCorpus, "unmatched_responses", match="q1"):
        votes_of(tmp_path, rows)


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"coverage_broad": 2}, r"study2_pointwise.jsonl.gz:2: coverage_broad: 2 .*-3"),
        ({"correctness_topical": 3}, "2: correctness_topical: 3 .*-1, 1"),
    ],
)
def test_a_vote_off_the_scale_is_named(tmp_path, change, shown):
    with raises(BadCorpus, "off_scale", match=shown):
        votes_of(tmp_path, [point("x1", 1), point("x2", 1) | change])


def test_a_broken_file_is_a_reason_and_no_end(tmp_path):
    write(tmp_path, corpus_files.POINTWISE, [point("x1", 2)])
    published = PublishedFiles(tmp_path)
    for _ in range(2):
        with cannot_compute("broken_corpus_file", match="2"):
            published.pointwise()


# -- Published ratings ------------------------------------------------------------------------


def test_votes_and_workers_must_be_equally_many(tmp_path):
    row = {"query_id": "t1", "response_a": "r1", "response_b": "r2", "worker": ["w1", "w2"]}
    for name in DIMENSIONS:
        row[f"{name}_vote"] = ["A", "B"]
        row[f"{name}_spam_probability"] = [0.1, 0.9]
        row[f"{name}_gold"] = "a"
    write(tmp_path, corpus_files.RATINGS, [row])
    found = corpus_files.published_votes(tmp_path)
    assert len(found) == 2 * len(DIMENSIONS)
    assert list(found["value"][:2]) == ["a", "b"]
    write(tmp_path, corpus_files.RATINGS, [row, row | {"coverage_broad_vote": ["A"]}])
    with raises(
        BadCorpus, "unequal_votes", match=r"ratings.jsonl.gz:2: coverage_broad: 2 .*1 .*2 "
    ):
        corpus_files.published_votes(tmp_path)
