"""Rankings, and passages without a rank, come in with the pool that they rank."""

import pytest

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import ImportRefused, import_corpus
from annotation.models import Passage, Ranking
from tests.annotation.corpora.small_corpora import PASSAGE, PASSAGES, SYSTEM, TOPIC
from tests.hooks import outlined

pytestmark = [pytest.mark.storage, pytest.mark.django_db]


def ranked(system, *keys, **given):
    return [
        {"system": system, "topic": "t1", "passage": key, "rank": rank} | given
        for rank, key in enumerate(keys, start=1)
    ]


def orders():
    found = {}
    for system, key in Ranking.objects.values_list("system__key", "passage__key"):
        found.setdefault(system, []).append(key)
    return found


def test_several_systems_rank_one_pool_and_the_pool_keeps_its_order(bring):
    bring(topics=[TOPIC], passages=PASSAGES, systems=[SYSTEM])
    rankings = [*ranked("s1", "p2", "p0"), *ranked("bm25", "p0", "p1", "p2", score=None)]
    report = bring(rankings=rankings)
    assert report.added == {"systems": 1, "rankings": 5}
    assert orders() == {"s1": ["p2", "p0"], "bm25": ["p0", "p1", "p2"]}
    assert [passage.key for passage in Passage.objects.all()] == ["p0", "p1", "p2"]
    assert bring(rankings=rankings).unchanged == {"rankings": 5}


def test_a_run_of_trec_is_a_ranking(bring, tmp_path):
    run = tmp_path / "deep.run"
    run.write_bytes(
        b"t1 Q0 p0 9 1.5 bm25\nt1 Q0 p1 9 2 bm25\nt1 Q0 far 9 1.7 bm25\nt2 Q0 p 1 1 x\n"
    )
    bring(topics=[TOPIC], passages=PASSAGES)
    with pytest.raises(ImportRefused) as refusal:
        import_corpus(slug="leaves", name="", files=[CorpusFile(run)])
    assert [str(line) for line in refusal.value.report.bad_lines] == [
        "deep.run:3: passage: 'far' not found",
        "deep.run:4: topic: 't2' not found",
    ]
    assert not Ranking.objects.exists()
    report = import_corpus(
        slug="leaves", name="", files=[CorpusFile(run)], unknown_passages="report"
    )
    assert report.warning_count == 2
    assert list(Ranking.objects.values_list("passage__key", "rank", "score")) == [
        ("p1", 1, 2.0),
        ("p0", 3, 1.5),  # 2 is the passage that the pool lacks
    ]


@pytest.mark.parametrize(
    ("rankings", "complaint"),
    [
        (
            [*ranked("s1", "p1"), *ranked("s1", "p2")],
            "rankings.jsonl:2: rank: '1' … duplicate … 's1' … topic 't1' … rankings.jsonl:1",
        ),
        (
            ranked("s1", "p1", "p1"),
            "rankings.jsonl:2: passage: 'p1' … duplicate … 's1' … topic 't1' … rankings.jsonl:1",
        ),
        (ranked("s1", "p1"), "rankings.jsonl:1: rank: 1 … passage 'p0'"),
        (
            ranked("s1", "p0", score=2.0),
            "rankings.jsonl:1: score: 'p0' … different score",
        ),
    ],
)
def test_a_ranking_has_one_passage_at_each_rank(bring, refused, rankings, complaint):
    bring(topics=[TOPIC], passages=PASSAGES, rankings=ranked("s1", "p0", score=1.0))
    assert any(outlined([line], complaint) for line in refused(rankings=rankings))


def test_passages_without_a_rank_come_behind_the_others_in_their_order(bring):
    unranked = [PASSAGE | {"passage": key} for key in ("x", "y")]
    for passage in unranked:
        del passage["rank"]
    bring(topics=[TOPIC], passages=[*unranked, *PASSAGES])
    assert [passage.key for passage in Passage.objects.all()] == ["p0", "p1", "p2", "x", "y"]
    bring(passages=[PASSAGE | {"passage": "z", "rank": None}])
    assert Passage.objects.get(key="z").rank == 6
    assert bring(passages=unranked).unchanged == {"passages": 2}
