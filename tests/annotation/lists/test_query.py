"""Queries of lists: parameters of an address, defaults, order and the heads that sort."""

import pytest

from annotation.lists import ListColumn, ListQuery, QueryParameter, parameters_in, parameters_of

PARAMETERS = (
    QueryParameter("state", "waiting", ("waiting", "done"), other="done"),
    QueryParameter("worker"),
    QueryParameter("sort", "oldest", ("oldest", "newest")),
    QueryParameter("q"),
)


def query(**given):
    return ListQuery.parse(PARAMETERS, given)


def test_an_address_leaves_defaults_out_and_keeps_the_order_of_parameters():
    assert query().query == ""
    assert query(q="a b", state="waiting", worker="w-1").query == "worker=w-1&q=a+b"
    assert query(sort="newest", state="done").query == "state=done&sort=newest"


def test_a_value_outside_the_choices_becomes_the_other_or_the_default():
    assert query(state="lost")["state"] == "done"
    assert query(sort="lost")["sort"] == "oldest"


def test_a_query_that_is_parsed_again_is_equal():
    first = query(state="done", q=" lamp & light ", worker="ä")
    assert first["q"] == "lamp & light"
    assert ListQuery.parse(PARAMETERS, parameters_of(first.query)) == first
    assert first.replace(state="waiting", q="") == query(worker="ä")


def test_parameters_are_shortened_and_have_no_nul(rf):
    request = rf.get("/", {"q": "x" * 500, "worker": "a\x00b"})
    assert parameters_in(request) == {"q": "x" * 200, "worker": "ab"}
    assert parameters_of("worker=a\x00b&q=" + "x" * 2000) == {"worker": "ab", "q": "x" * 200}


@pytest.mark.parametrize(
    ("current", "number", "direction", "following"),
    [
        ("", False, "", "words"),
        ("words", False, "ascending", "-words"),
        ("-words", False, "descending", "words"),
        ("", True, "", "-words"),
        ("-words", True, "descending", "words"),
        ("key", True, "", "-words"),
    ],
)
def test_a_click_on_a_head_turns_the_order_and_begins_with_the_largest_number(
    current, number, direction, following
):
    head = ListColumn("Words", "words", number=number).head(current)
    assert (head.direction, head.sort) == (direction, following)


def test_a_column_without_a_field_has_no_link():
    assert ListColumn("Item").head("words").sort == ""


@pytest.mark.parametrize(
    ("sort", "order"), [("words", ("words", False)), ("-key", ("key", True)), ("-odd", ("", True))]
)
def test_only_columns_of_the_list_are_sorted_by(sort, order):
    one = ListQuery.parse([QueryParameter("sort")], {"sort": sort})
    assert one.order({"words", "key"}) == order
