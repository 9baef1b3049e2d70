"""Citations of imported texts: every form is read, no text is changed."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.resolving import FORMS, OPTIONAL, cited_text
from annotation.corpora.rows import CitationsFrom
from annotation.models import Citation, Response

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
ROW = {"question": "Why is the sea salty?", "system": "S", "origin": "llm"}
PASSAGES = ["Rivers carry salts.", "Water evaporates.", "Vents add minerals."]


def brought(bring, answer, **fields):
    bring(table=[ROW | {"answer": answer, "passages": PASSAGES, **fields}])
    response = Response.objects.get()
    assert response.text == answer
    cites = Citation.objects.order_by("position").values_list("passage__text", flat=True)
    return [PASSAGES.index(text) for text in cites]


@pytest.mark.parametrize(
    ("answer", "cited"),
    [
        ("Rivers [1, 2] and vents [3].", [0, 1, 2]),
        ("Several [1-3].", [0, 1, 2]),
        ("Rivers.[^1] It stays.[^2]", [0, 1]),
        ("Rivers【1†source】 and【2†source】.", [0, 1]),
        ("Rivers [doc1] and [Doc 3].", [0, 2]),
        ("[Rivers](https://example.org/r) [[1]](https://example.org/1).", [0]),
        ("Rivers [Source: 1], stays <cite>2</cite>.", [0, 1]),
        ("Rivers [1][2], vents [3].", [0, 1, 2]),
        ("Rivers (1) and stays (2).", []),
        ("Brackets [1]:\n\n```python\nx = items[2]\ny = m[1][10]\n```\nThe interval [1, 2].", [0]),
    ],
)
def test_answers_cite_in_every_form_and_stay_as_they_came(bring, answer, cited):
    assert brought(bring, answer, citations_from="1") == cited


def test_numbers_may_be_ids_of_passages(bring):
    passages = [{"id": f"d{n}", "text": text} for n, text in enumerate(PASSAGES, start=7)]
    row = ROW | {"answer": "Rivers [d7; d9], vents [1].", "passages": passages}
    bring(table=[row | {"citations_from": "1"}])
    places = Citation.objects.order_by("position").values_list("passage__key", flat=True)
    assert [*places] == ["d7", "d9", "d7"]


def test_a_footnote_with_a_note_of_its_own_is_no_citation(bring):
    assert brought(bring, "Rivers.[^9]\n\n[^9]: A note.") == []


def keys(*names):
    return {name: place for place, name in enumerate(names)}


def test_ids_that_are_numbers_are_ids_only_where_it_is_said():
    ids = keys("2", "1")
    settings = {"place_of": lambda index: index if index < 2 else None, "keys": ids}
    by_place = cited_text("a [1]", first=CitationsFrom.ZERO, **settings)
    by_id = cited_text("a [1]", first=CitationsFrom.IDS, **settings)
    assert (by_place.marks, by_id.marks) == ([[2, 5, 1]], [[2, 5, 1]])
    assert cited_text("a [2]", first=CitationsFrom.IDS, **settings).marks == [[2, 5, 0]]
    assert cited_text("a [3]", first=CitationsFrom.IDS, **settings).unknown == ["[3]"]


def test_brackets_count_where_they_were_chosen():
    settings = {"first": CitationsFrom.ZERO, "place_of": lambda index: index, "keys": {}}
    text = "items[2] (1) [0]"
    assert len(cited_text(text, **settings).marks) == 1
    assert len(cited_text(text, forms=FORMS | OPTIONAL, **settings).marks) == 3
    assert cited_text(text, forms=(), **settings).marks == []


TEXTS = st.lists(
    st.sampled_from(["[1]", "[d7]", "`", "\n", "[2, 3]", "[^1]", "x[1]", "$", "w ", "[9]"]),
    max_size=30,
).map("".join)


@given(TEXTS, st.sampled_from([*CitationsFrom][:3]))
def test_marks_stand_in_the_order_of_the_text_and_name_passages(text, first):
    cited = cited_text(
        text,
        first=first,
        place_of=lambda index: index if 0 <= index < 3 else None,
        keys=keys("d7", "d8", "1"),
    )
    last = 0
    for start, end, *places in cited.marks:
        assert last <= start < end <= len(text)
        assert places
        assert all(0 <= place < 3 for place in places)
        last = end
    assert json.loads(json.dumps(cited.marks)) == cited.marks
