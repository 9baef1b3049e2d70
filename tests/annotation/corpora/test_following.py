"""Lines that are bad because others are stand under them; ranks that begin at 0 are said once."""

import pytest

from annotation.corpora.importing import ImportRefused
from annotation.models import Passage, Ranking
from tests.annotation.corpora.small_corpora import PASSAGES, SYSTEM, TOPIC, plain
from tests.hooks import outlined

pytestmark = [pytest.mark.storage, pytest.mark.django_db]

RANKING = {"system": "s1", "topic": "t1"}


def rank(passages, first):
    """Return the passages with ranks from this one on."""
    return [row | {"rank": rank} for rank, row in enumerate(passages, start=first)]


def report(bring, **rows):
    with pytest.raises(ImportRefused) as refusal:
        bring(**rows)
    return refusal.value.report


def test_ranks_from_0_are_one_reason_and_nothing_follows_from_it(bring):
    found = report(
        bring,
        topics=[TOPIC],
        passages=rank(PASSAGES, 0),
        responses=[plain(text="All of [0][1][2].")],
        rankings=[RANKING | {"passage": f"p{n}", "rank": n} for n in range(3)],
    )
    assert [(line.place, line.field) for line in found.bad_lines] == [
        ("passages.jsonl:1", "rank"),
        ("rankings.jsonl:1", "rank"),
    ]
    assert found.ranks_from_0 == ["passages.jsonl", "rankings.jsonl"]


@pytest.mark.parametrize("first", [0, "0"])
def test_ranks_that_are_said_to_begin_at_0_are_raised_by_one(bring, first):
    said = {"ranks_from": first}
    passages = [row | said for row in rank(PASSAGES, 0)]
    ranked = [RANKING | said | {"passage": PASSAGES[0]["passage"], "rank": 0}]
    bring(topics=[TOPIC], passages=passages, rankings=ranked)
    assert list(Passage.objects.order_by("rank").values_list("key", "rank")) == [
        (row["passage"], n) for n, row in enumerate(PASSAGES, start=1)
    ]
    assert Ranking.objects.get().rank == 1


def test_a_rank_0_that_a_list_has_twice_is_no_beginning(bring):
    passages = [row | {"rank": 0} for row in PASSAGES]
    assert report(bring, topics=[TOPIC], passages=passages).ranks_from_0 == []


def test_a_line_that_names_what_a_bad_line_would_bring_follows_from_it(bring):
    found = report(
        bring,
        topics=[TOPIC | {"query": " "}],
        passages=PASSAGES,
        systems=[SYSTEM | {"name": ""}],
        responses=[plain(text="So [0]."), plain(response="r9", topic="t9", text="So.")],
    )
    assert [str(line) for line in found.causes] == [
        "topics.jsonl:1: query: is empty",
        "systems.jsonl:1: name: is empty",
        "responses.jsonl:2: topic: 't9' not found",
    ]
    assert {line.follows for line in found.following} == {"topics.jsonl:1"}
    complaint = str(found.following[-1])
    assert outlined([complaint], "responses.jsonl:1: topic: 't1' not found … topics.jsonl:1")
    assert found.bad_line_count == len(found.causes) + found.following_count == 7


def test_a_citation_of_a_bad_passage_follows_from_it_and_is_not_left_out(bring):
    bad = PASSAGES[-1] | {"text": ""}
    rows = {"topics": [TOPIC], "passages": [*PASSAGES[:-1], bad]}
    for unknown in ("refuse", "report"):
        found = report(bring, **rows, responses=[plain(text="[2].")], unknown_citations=unknown)
        assert [line.follows for line in found.bad_lines] == ["", "passages.jsonl:3"]
        assert (found.cites_unknown, found.warning_count, found.lowest_cited) == (0, 0, None)


def test_all_that_a_file_without_a_column_would_bring_is_missed(bring):
    found = report(
        bring,
        topics=[TOPIC],
        passages=b'{"topic": "t1", "passage": "p"}\n',
        responses=[plain(text="[0].")],
    )
    assert [line.follows for line in found.bad_lines] == ["", "passages.jsonl:1"]


def test_a_chain_of_bad_lines_has_one_cause(bring):
    ranked = [RANKING | {"passage": row["passage"], "rank": row["rank"]} for row in PASSAGES]
    found = report(bring, topics=[TOPIC | {"query": ""}], passages=PASSAGES, rankings=ranked)
    assert len(found.causes) == 1
    assert {line.follows for line in found.following} == {"topics.jsonl:1"}
    assert found.following_count == 2 * len(PASSAGES)
