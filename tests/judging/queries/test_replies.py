"""The queries in an answer are taken whole, or nothing of it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.calls.replies import UnreadableAnswer
from judging.queries.replies import flat, read

queries = st.lists(st.text("abc déß?", min_size=1, max_size=30).filter(str.strip), max_size=6)


@pytest.mark.parametrize(
    "text",
    ['{"queries": ["a b", "c"]}', 'Well:\n{"queries": ["a  b ", "c", "A b?"]}\n\n'],
)  # fmt: skip
def test_the_last_line_is_taken_and_each_query_once(text):
    assert [flat(response) for response in read(text, most=3, structured=False)] == ["a b", "c"]


def test_there_may_be_none():
    assert read('{"queries": []}', most=3, structured=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "", "   \n", "1. what is it", '["a"]', '{"queries": "a"}', '{"query": ["a"]}',
        '{"queries": ["a", 2]}', '{"queries": ["a", ""]}', '{"queries": ["???"]}',
        '{"queries": ["a", null]}', '{"queries": [["a"]]}', '{"queries": ["a", "b", "c", "d"]}',
        '{"queries": ["a"], "queries": ["b"]}', '{"queries": ["a"', '{"queries": ["a"]} So.',
        json.dumps({"queries": ["x" * 501]}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("structured", [True, False])
def test_anything_else_is_nothing(text, structured):
    with pytest.raises(UnreadableAnswer):
        read(text, most=3, structured=structured)


@given(text=st.text(max_size=200), structured=st.booleans(), most=st.integers(1, 5))
def test_whatever_comes_it_is_queries_or_not_read(text, structured, most):
    try:
        lines = read(text, most=most, structured=structured)
    except UnreadableAnswer:
        return
    assert len(lines) <= most


@given(said=queries, before=st.sampled_from(["", "Here they are.\n"]))
def test_what_was_written_is_read(said, before):
    said = [each for each in said if any(sign.isalnum() for sign in each)]
    lines = read(before + json.dumps({"queries": said}), most=6, structured=False)
    assert {flat(each) for each in lines} == {flat(line) for line in said}
    assert len(lines) == len({flat(line) for line in lines})
