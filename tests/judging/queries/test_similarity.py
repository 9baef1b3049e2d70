"""How like two queries are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.queries.similarity import NEAR, QueryIndex, rouge_l, words_of

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7)


def test_the_examples_of_the_paper():
    """Lin (2004), section 3.1: S1 police killed the gunman; S2 has the F of 3/4, S3 of 2/4."""
    one = words_of("police killed the gunman")
    assert rouge_l(one, words_of("police kill the gunman")) == pytest.approx(0.75)
    assert rouge_l(one, words_of("the gunman kill police")) == pytest.approx(0.5)


@given(words, words)
def test_it_has_no_order_and_lies_between_none_and_all(one, other):
    value = rouge_l(one, other)
    assert value == pytest.approx(rouge_l(other, one))
    assert 0 <= value <= 1
    assert (value == 1) == (one == other != [])


@given(st.lists(words.filter(bool), min_size=1, max_size=6), words.filter(bool))
def test_the_nearest_is_found_as_if_all_were_compared(queries, asked):
    texts = [" ".join(query) for query in queries]
    similar = QueryIndex.of((str(n), text) for n, text in enumerate(texts)).like(" ".join(asked))
    best = max(rouge_l(asked, query) for query in queries)
    if best < NEAR:
        assert similar is None
    else:
        assert similar is not None
        assert similar.value == pytest.approx(best, abs=0.0011)
        assert similar.is_same == (asked in queries)


def test_signs_at_the_ends_make_no_other_query_and_those_between_do():
    known = QueryIndex.of([("t1", "What is C++ for?")])
    assert known.like("what is c++  for").is_same
    similar = known.like("what is c# for")
    assert not similar.is_same
    assert similar.value > NEAR
