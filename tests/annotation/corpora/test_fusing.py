"""Reciprocal rank fusion of the rankings of a corpus."""

import pytest
from django.core.management import call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora import fusing
from annotation.corpora.fusion import reciprocal_rank_fusion
from annotation.models import AuditEntry, Ranking, System
from tests.cast import rita, small_corpus
from tests.coded_errors import command_ends
from tests.hooks import element, elements, values
from tests.refusals import refused

LISTS = st.lists(st.lists(st.integers(0, 9), unique=True), max_size=5)


def test_first_and_second_make_the_score_of_the_paper():
    """seed-systems.md E3: k 60, ranks 1 and 2."""
    fused = reciprocal_rank_fusion([["a", "b"], ["b", "a", "c"]])
    assert fused[0] == ("a", pytest.approx(0.032522, abs=1e-6))
    assert [document for document, _ in fused] == ["a", "b", "c"]
    assert fused[0][1] == fused[1][1]


@given(lists=LISTS, k=st.integers(0, 100))
def test_it_is_the_plain_sum_and_does_not_depend_on_the_order_of_rankings(lists, k):
    fused = dict(reciprocal_rank_fusion(lists, k=k))
    for document, score in fused.items():
        ranks = [each.index(document) + 1 for each in lists if document in each]
        assert score == pytest.approx(sum(1 / (k + rank) for rank in ranks))
    assert fused == dict(reciprocal_rank_fusion(lists[::-1], k=k))
    assert set(fused) == {document for each in lists for document in each}


@pytest.mark.parametrize(("lists", "k"), [([["a", "a"]], 60), ([["a"]], -1)])
def test_what_is_no_ranking_is_refused(lists, k):
    with pytest.raises(ValueError):  # noqa: PT011
        reciprocal_rank_fusion(lists, k=k)


@pytest.fixture
def corpus():
    """Two systems rank the passages of the first topic in reverse order, a third none."""
    corpus = small_corpus()
    topic = corpus.topics.first()
    passages = list(topic.passages.order_by("pk")) or [
        topic.passages.create(key=f"p{n}", rank=n, text=f"Passage {n}.") for n in (1, 2, 3)
    ]
    for key, order in (("one", passages), ("two", passages[::-1]), ("none", [])):
        system = System.objects.create(corpus=corpus, key=key, name=key)
        for rank, passage in enumerate(order, start=1):
            Ranking.objects.create(system=system, topic=topic, passage=passage, rank=rank)
    return corpus


@pytest.mark.django_db
@pytest.mark.storage
def test_a_new_system_ranks_what_they_rank(corpus):
    made = fusing.fuse(corpus=corpus, of=["one", "two", "none"], name=" Fused  ranking ", k=0)
    ranks = list(made.rankings.order_by("rank").values_list("rank", "score"))
    n = len(ranks)
    assert (made.key, [rank for rank, _ in ranks]) == ("Fused ranking", list(range(1, n + 1)))
    assert ranks[0][1] == pytest.approx(1 + 1 / n)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("of", "name", "k", "field", "reason"),
    [
        (["one"], "new", 60, "of", "too_few_systems"),
        (["one", "one"], "new", 60, "of", "too_few_systems"),
        (["one", "unheard"], "new", 60, "of", "unknown_system"),
        (["one", "two"], "  ", 60, "name", "bad_name"),
        (["one", "two"], "none", 60, "name", "taken_name"),
        (["one", "two"], "x" * 201, 60, "name", "bad_name"),
        (["one", "two"], "new", -1, "k", "bad_k"),
    ],
)
def test_a_refusal_names_its_field_and_nothing_is_made(corpus, of, name, k, field, reason):
    before = (System.objects.count(), Ranking.objects.count())
    with pytest.raises(fusing.CannotFuse) as refused:
        fusing.fuse(corpus=corpus, of=of, name=name, k=k)
    assert (refused.value.field, refused.value.reason) == (field, reason)
    assert (System.objects.count(), Ranking.objects.count()) == before


@pytest.mark.django_db
def test_systems_without_a_ranking_make_none(corpus):
    System.objects.create(corpus=corpus, key="other", name="other")
    with refused("CannotFuse") as refusal:
        fusing.fuse(corpus=corpus, of=["none", "other"], name="new")
    assert (refusal.value.field, refusal.value.reason) == ("of", "no_rankings")
    assert not System.objects.filter(key="new").exists()


@pytest.mark.django_db
def test_the_page_fuses_and_keeps_what_was_typed(corpus, client):
    client.force_login(rita())
    at = reverse("fuse_corpus_rankings", args=[corpus.slug])
    kept = client.post(at, {"of": ["one"], "name": "Fused", "k": "60"})
    assert kept.status_code == 400
    assert b'value="Fused"' in kept.content
    assert values(kept.text, "data-fault") == ["too_few_systems"]
    done = client.post(at, {"of": ["one", "two"], "name": "Fused", "k": "60"}, follow=True)
    assert "Fused" in element(done.text, "data-message", "success").text
    assert AuditEntry.objects.get().act == "fused rankings"


@pytest.mark.django_db
def test_where_nothing_is_ranked_the_page_leads_to_the_files(client):
    client.force_login(rita())
    bare = small_corpus(slug="bare")
    page = client.get(reverse("fuse_corpus_rankings", args=[bare.slug])).text
    assert element(page, "data-unranked")
    assert f"{reverse('new_upload')}?corpus=bare" in page
    assert not elements(page, "name", "name")


@pytest.mark.django_db
def test_the_command_says_what_it_made(corpus, capsys):
    call_command("fuse_rankings", corpus.slug, "--system", "one", "--system", "two", name="Fused")
    assert "from 2 systems" in capsys.readouterr().out
    with command_ends(fusing.CannotFuse) as ended:
        call_command(
            "fuse_rankings", corpus.slug, "--system", "one", "--system", "two", name="Fused"
        )
    assert ended.value.__cause__.reason == "taken_name"


@pytest.mark.django_db
@pytest.mark.storage
def test_a_sign_that_no_database_keeps_is_in_no_name_of_a_system(corpus, client):
    client.force_login(rita())
    at = reverse("fuse_corpus_rankings", args=[corpus.slug])
    said = client.post(at, {"of": ["unheard\x00", "two"], "name": "Fused", "k": "60"})
    assert said.status_code == 400
    fault = element(said.text, "data-fault", "unknown_system")
    assert "unheard" in fault.text
