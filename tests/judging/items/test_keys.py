"""Names of items: what is published stays, what differs never has the same name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judging.items.keys import KEY_LENGTH, UNIT_LENGTH, item_key, unit_of
from judging.items.kinds import Holds, ItemKind, Slot, item_kind

PASSAGE = ItemKind("passage", (Slot("passage", "Passage", holds=Holds.PASSAGE),))
POINT = ItemKind(
    "passage_criterion",
    (
        Slot("passage", "Passage", holds=Holds.PASSAGE),
        Slot("criterion", "Point", holds=Holds.CRITERION),
    ),
)
BLOCK = ItemKind("block", tuple(Slot(name, name, drawn=True) for name in "abcd"))
MANY = ItemKind("many", (Slot("d", "Document", holds=Holds.PASSAGE, repeated=True),))
words = st.text(min_size=1, max_size=5, alphabet="ab|:")


def test_published_items_keep_their_names():
    assert item_key(item_kind("pair"), [["t1a"], ["t1b"]]) == "t1a|t1b"
    assert item_key(item_kind("response"), [["t1a"]]) == "t1a"
    assert unit_of(item_kind("pair"), (12, 7)) == unit_of(item_kind("pair"), (7, 12)) == "pair:7|12"
    assert unit_of(item_kind("response"), (7,)) == "response:7"


def test_a_document_of_two_topics_is_two_items():
    assert item_key(PASSAGE, [["t1", "d"]]) == "passage:t1|d"
    assert item_key(PASSAGE, [["t2", "d"]]) == "passage:t2|d"


@given(some=st.lists(words, min_size=2, max_size=2), other=st.lists(words, min_size=2, max_size=2))
@pytest.mark.parametrize("kind", [item_kind("pair"), PASSAGE], ids=lambda kind: kind.name)
def test_only_the_same_contents_have_the_same_key(kind, some, other):
    def parts(keys):
        return [[key] for key in keys] if kind.name == "pair" else [keys]

    assert (item_key(kind, parts(some)) == item_key(kind, parts(other))) == (some == other)


def test_a_unit_says_of_each_number_what_it_counts():
    assert unit_of(POINT, (5, 3)) == "passage_criterion:p5|c3"
    assert unit_of(POINT, (5, 3)) != unit_of(POINT, (3, 5))


def test_a_block_is_one_unit_in_whatever_order():
    assert unit_of(BLOCK, (4, 30, 2, 1)) == unit_of(BLOCK, (1, 2, 4, 30)) == "block:1|2|4|30"


def test_names_longer_than_their_column_are_digests():
    long = item_key(BLOCK, [["x" * 200]] * 3 + [["y"]])
    assert long != item_key(BLOCK, [["x" * 200]] * 3 + [["z"]])
    units = {unit_of(MANY, tuple(range(10**6, 10**6 + n))) for n in (40, 41)}
    assert len(units) == 2
    assert len(long) <= KEY_LENGTH
    assert max(map(len, units)) <= UNIT_LENGTH
