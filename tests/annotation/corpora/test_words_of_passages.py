"""Words of passages, counted when a passage is written, without reading its text again."""

import pytest

from annotation.models import Passage
from annotation.studies.wages import WORDS_PER_MINUTE
from judging.design.material import material_for
from judging.items.kinds import Holds, item_kind
from tests.cast import small_corpus
from writing.studies.designing import reading_minutes


@pytest.mark.django_db
def test_whoever_writes_a_passage_has_it_counted():
    topic = small_corpus().topics.first()
    topic.passages.all().delete()
    one = topic.passages.create(key="one", rank=1, text="A lamp  shines\n[1].")
    many = [
        Passage(topic=topic, key=f"p{rank}", rank=rank, text="Lamp. " * rank) for rank in (2, 3)
    ]
    Passage.objects.bulk_create(many)
    assert (one.words, [each.words for each in many]) == (4, [2, 3])
    assert list(topic.passages.order_by("rank").values_list("words", flat=True)) == [4, 2, 3]
    one.text = "Dark."
    one.save()
    assert list(topic.passages.order_by("rank").values_list("words", flat=True)) == [1, 2, 3]


@pytest.mark.django_db
def test_what_an_older_server_wrote_meanwhile_is_counted_when_it_is_read(
    django_assert_num_queries,
):
    corpus = small_corpus()
    topic = corpus.topics.get()
    for rank, text in enumerate(("A lamp shines.", "Dark.", ""), start=1):
        topic.passages.create(key=f"p{rank}", rank=rank, text=text)
    asked = {"kind": item_kind("passage"), "corpus": corpus, "points": list, "scores": {}}

    def words():
        return [each.words for each in material_for(**asked)[Holds.PASSAGE]]

    assert (words(), reading_minutes([topic])) == ([3, 1, 0], 4 / WORDS_PER_MINUTE)
    topic.passages.update(words=0)
    assert (words(), reading_minutes([topic])) == ([3, 1, 0], 4 / WORDS_PER_MINUTE)
    topic.passages.filter(text="").delete()
    for passage in topic.passages.all():
        passage.save()
    with django_assert_num_queries(1):
        words()
