"""Neighbouring passages joined for one call."""

import pytest

from annotation.models import Topic
from judging.models import ProposedQuery, QueryCall
from judging.queries import deciding
from judging.queries.forecasts import forecast_of
from judging.queries.joining import packed
from judging.queries.passage_choice import PassageChoice
from judging.queries.preparing import prepare
from tests.cast import NOW, rita
from tests.judging.queries.cast import TEXTS, passages, round_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("limit", "groups"),
    [(9, [[1], [2], [3], [4]]), (10, [[1, 2], [3], [4]]), (25, [[1, 2, 3], [4]])],
)
def test_neighbours_are_packed_up_to_the_limit(limit, groups):
    assert packed([(1, 5), (2, 5), (3, 12), (4, 20)], limit) == groups


def test_a_call_has_the_texts_of_all_joined_passages():
    asked = round_of(passages(), choice=PassageChoice(joined=40))
    assert prepare(round=asked) == 2  # of two groups in one topic, and the same text in another
    first, second = (call.request["messages"][-1]["content"] for call in asked.calls.order_by("pk"))
    assert TEXTS[0] in first
    assert TEXTS[1] not in first
    assert TEXTS[1] in second
    assert TEXTS[2] in second
    assert forecast_of(asked).calls == 2


def test_a_sample_counts_joined_passages():
    asked = round_of(passages(), choice=PassageChoice(joined=2000, drawn=1))
    assert asked.passages.count() == 1
    asked = round_of(
        passages("more"), name="lamps", choice=PassageChoice(joined=2000, sought="socket")
    )
    (start,) = asked.passages.all()
    assert (start.topic.key, start.key) == ("t1", "p1")


def test_an_accepted_query_gets_all_joined_passages_and_gives_them_back():
    corpus = passages()
    asked = round_of(corpus, choice=PassageChoice(joined=2000))
    prepare(round=asked)
    call = QueryCall.objects.get(passage__topic__key="t1")
    proposal = ProposedQuery.objects.create(call=call, position=1, text="Why towers?")
    user = rita()
    assert deciding.accept(corpus=corpus, proposals=[proposal.pk], by=user, now=NOW).done == 1
    topic = Topic.objects.get(proposed=proposal)
    ranked = topic.passages.order_by("rank").values_list("rank", "text")
    assert list(ranked) == list(enumerate(TEXTS, start=1))
    assert deciding.take_back(corpus=corpus, proposals=[proposal.pk], by=user).done == 1
    assert not Topic.objects.filter(pk=topic.pk).exists()
