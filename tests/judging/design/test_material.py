"""What a design reads of a corpus: no passages that it leaves out anyway."""

import pytest

from annotation.corpora.shared_reads import shared_reads
from annotation.models import Passage
from judging.design.material import material_for
from judging.designers.designs import undealt
from judging.designers.texts import DesignParameters
from judging.items.kinds import Holds, item_kind
from tests.cast import small_corpus

READ = {  # ranks by depth; of a topic without any of the best all, for it is one to judge
    None: [1, 2, 3, 4, 2, 5, 7, 8],
    1: [1, 2, 5, 7, 8],
    3: [1, 2, 3, 2, 7, 8],
    9: [1, 2, 3, 4, 2, 5, 7, 8],
}


def corpus_with_passages():
    """Three topics; of one no passage is among the best."""
    corpus = small_corpus(topics=3, responses=3)
    Passage.objects.filter(topic__corpus=corpus).delete()
    for topic, ranks in zip(corpus.topics.all(), [(1, 2, 3, 4), (2, 5), (7, 8)], strict=True):
        for rank in ranks:
            topic.passages.create(key=f"p{rank}", rank=rank, text="Lamp. " * rank)
    return corpus


@pytest.mark.django_db
@pytest.mark.parametrize("depth", READ)
@pytest.mark.parametrize(
    ("kind", "designer"), [("pair_documents", "all_pairs"), ("passage", "pool")]
)
def test_a_design_is_the_same_from_the_passages_that_it_reads(kind, designer, depth):
    corpus = corpus_with_passages()
    parameters = DesignParameters(seed=1, kind=kind, designer=designer, depth=depth, topics=3)
    asked = {"kind": item_kind(kind), "corpus": corpus, "points": list, "scores": {}}
    read, every = material_for(**asked, parameters=parameters), material_for(**asked)
    made = [undealt(material=each, parameters=parameters) for each in (read, every)]
    assert made[0].items == made[1].items
    assert made[0].topics == made[1].topics
    assert [text.rank for text in read[Holds.PASSAGE]] == READ[depth]


@pytest.mark.django_db
@pytest.mark.parametrize("depth", READ)
def test_many_outlines_take_their_passages_from_all_of_them(depth, django_assert_num_queries):
    corpus = corpus_with_passages()
    parameters = DesignParameters(seed=1, kind="passage", designer="pool", depth=depth)
    asked = {"kind": item_kind("passage"), "corpus": corpus, "points": list, "scores": {}}
    with shared_reads(of_many=True):
        material_for(**asked)
        with django_assert_num_queries(0):
            read = material_for(**asked, parameters=parameters)
    assert list(read[Holds.PASSAGE]) == material_for(**asked, parameters=parameters)[Holds.PASSAGE]


@pytest.mark.django_db
def test_where_documents_are_chosen_by_their_score_all_are_read():
    corpus = corpus_with_passages()
    scores = {pk: 2 for pk in Passage.objects.values_list("pk", flat=True)}
    asked = {"kind": item_kind("pair_documents"), "corpus": corpus, "points": list}
    by_score = DesignParameters(seed=1, kind="pair_documents", depth=1, documents_scored_at_least=2)
    read = material_for(**asked, scores=scores, parameters=by_score)
    assert len(read[Holds.PASSAGE]) == 8
    made = undealt(material=read, parameters=by_score)
    assert {len(item.contents) for item in made.items} == {3}
    assert len(made.topics) == 3
