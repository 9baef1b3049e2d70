"""Item kinds as data: names, places and labels of slots."""

import pytest

from judging.items.kinds import Holds, ItemKind, Slot, item_kind

BESIDE = ItemKind(
    "beside_reference",
    (
        Slot("reference", "Reference", judged=False),
        Slot("a", "Left", drawn=True),
        Slot("b", "Right", drawn=True),
    ),
)
DOCUMENTS = ItemKind(
    "statement_documents",
    (
        Slot("statement", "Statement", holds=Holds.SEGMENT, judged=False),
        Slot("d", "Document", holds=Holds.PASSAGE, repeated=True),
    ),
)


def test_a_pair_is_two_texts_that_change_places():
    pair = item_kind("pair")
    assert pair.names(2) == pair.drawn(["b", "a"]) == pair.judged(["a", "b"]) == ("a", "b")
    assert pair.on_page(["a", "b"], ["b", "a"]) == [("b", "a"), ("a", "b")]
    assert [pair.label(place) for place in ("a", "b")] == ["Left", "Right"]


def test_a_reference_keeps_its_place_beside_a_drawn_pair():
    names = BESIDE.names(3)
    assert BESIDE.drawn(names) == BESIDE.judged(names) == ("a", "b")
    shown = BESIDE.on_page(names, ["b", "a"])
    assert shown == [("reference", "reference"), ("b", "a"), ("a", "b")]


def test_a_slot_that_repeats_stands_for_as_many_as_an_item_has():
    names = DOCUMENTS.names(12)
    assert names == ("statement", *(f"d{n}" for n in range(1, 12)))
    assert DOCUMENTS.in_order(sorted(names)) == names
    assert DOCUMENTS.judged(names) == names[1:]
    assert DOCUMENTS.label("d10") == "Document 10"
    assert [DOCUMENTS.slot(name) for name in ("d", "d0", "dx", "statement1")] == [None] * 4


@pytest.mark.parametrize(
    ("kind", "n"), [(DOCUMENTS, 1), (BESIDE, 2), (BESIDE, 4), (item_kind("pair"), 0)]
)
def test_an_item_shows_what_its_kind_has_slots_for(kind, n):
    with pytest.raises(LookupError, match=rf"\b{n}\b"):
        kind.names(n)
