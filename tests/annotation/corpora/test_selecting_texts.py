"""A corpus of the best and worst texts by an imported score."""

import pytest
from django.core.management import CommandError, call_command

from annotation.corpora.importing_orders import import_order
from annotation.corpora.selecting_texts import CannotSelect, best_and_worst, select_texts
from annotation.models import Corpus, Response
from tests.cast import small_corpus

pytestmark = pytest.mark.django_db
SCORES = {"t1a": 0.9, "t1b": 0.1, "t1c": 0.5, "t1d": 0.2, "t1e": 0.8, "t1f": 0.3, "t1g": 0.3}


@pytest.fixture
def corpus():
    """Return seven scored texts and one without a score; the last four are of a second system."""
    corpus = small_corpus(responses=8)
    systems = [corpus.systems.create(key=key, name=key.upper()) for key in ("gpt", "llama")]
    for n, response in enumerate(corpus.responses.order_by("key")):
        response.system = systems[n // 4]
        response.save()
    topic = corpus.topics.get()
    for rank in (1, 2):
        topic.passages.create(key=f"p{rank}", rank=rank, text=f"Passage {rank} on lamps.")
    text = "".join(f"{key},{value}\n" for key, value in SCORES.items())
    import_order(corpus=corpus, text=text, file="cosine.csv")
    return corpus


def keys(texts):
    return [text.key for text in texts]


def test_the_best_and_the_worst_of_each_system(corpus):
    high, low = best_and_worst(corpus=corpus, score="cosine.csv", best=1, worst=2)
    assert keys(high) == ["t1a", "t1e"]
    assert keys(low) == ["t1d", "t1b", "t1f", "t1g"]


def test_no_text_is_selected_twice(corpus):
    high, low = best_and_worst(corpus=corpus, score="cosine.csv", best=3, worst=3)
    assert sorted(keys(high) + keys(low)) == sorted(SCORES)


def test_the_new_corpus_has_their_topics_passages_and_systems(corpus):
    first = Response.objects.get(key="t1a")
    first.text, first.marks = "Lamps are bright [1].", [[17, 20, 1]]
    first.save()
    call_command("select_texts", corpus.slug, "best", "--score", "cosine.csv")
    made = Corpus.objects.get(slug="best")
    rows = made.responses.order_by("key").values_list("key", "system__key")
    assert list(rows) == [("t1a", "gpt"), ("t1b", "gpt"), ("t1e", "llama"), ("t1g", "llama")]
    assert made.topics.get().query == corpus.topics.get().query
    assert list(made.topics.get().passages.values_list("key", flat=True)) == ["p1", "p2"]
    copied = made.responses.get(key="t1a")
    assert (copied.text, copied.marks) == (first.text, first.marks)
    assert [cited.key for cited in copied.cited.all()] == ["p2"]
    assert corpus.responses.count() == 8


def test_what_cannot_be_selected_is_refused(corpus):
    for wanted, code in (
        ({"score": "bertscore"}, "NoSuchScore"),
        ({"best": 0, "worst": 0}, "NoNumber"),
        ({"best": -1}, "NoNumber"),
        ({"slug": corpus.slug}, "Taken"),
    ):
        settings = {"slug": "new", "score": "cosine.csv", "best": 1, "worst": 1} | wanted
        with pytest.raises(CannotSelect) as refused:
            select_texts(corpus=corpus, **settings)
        assert refused.value.code == code
    with pytest.raises(CommandError):
        call_command("select_texts", "nowhere", "new", "--score", "cosine.csv")
    assert Corpus.objects.count() == 1
