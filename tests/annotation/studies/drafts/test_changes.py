"""Changes of a document, taken back in the opposite order, leave it as it was."""

from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import DraftChange, do, document_before, path_after

KEYS = st.sampled_from(["a", "b", "c", "a/b", "~", "#1", ""])
ELEMENTS = st.fixed_dictionaries({"key": KEYS, "text": st.text(max_size=5)})
DOCUMENTS = st.fixed_dictionaries(
    {"title": st.text(max_size=5), "questions": st.lists(ELEMENTS, max_size=5)}
)


@st.composite
def changes(draw: st.DrawFn, document: Any) -> DraftChange:
    names = [paths.joined(name) for name in paths.names(document["questions"])]
    ops = ["title", "add", *(["set", "rename", "remove", "move"] if names else [])]
    op = draw(st.sampled_from(ops))
    if op == "title":
        return DraftChange("set", "title", draw(st.text(max_size=5)))
    if op == "add":
        return DraftChange("add", "questions", draw(ELEMENTS), draw(st.none() | st.integers(-1, 9)))
    path = f"questions/{draw(st.sampled_from(names))}"
    if op == "set":
        return DraftChange("set", f"{path}/text", draw(st.text(max_size=5)))
    if op == "rename":
        return DraftChange("set", f"{path}/key", draw(KEYS))
    return DraftChange(op, path, position=draw(st.integers(0, 9)))


@given(DOCUMENTS, st.data())
def test_what_was_done_is_taken_back(document: Any, data: st.DataObject) -> None:
    before, done = deepcopy(document), []
    for _ in range(data.draw(st.integers(0, 8))):
        one = do(document, data.draw(changes(document)))
        done += [one] if one else []
    assert document_before(document, reversed(done)) == before


@given(st.lists(st.text(max_size=6), max_size=5))
def test_a_path_keeps_its_names(parts: list[str]) -> None:
    assert paths.split(paths.joined(*parts)) == parts or parts in ([], [""])


@given(DOCUMENTS)
def test_every_element_is_found_by_its_name(document: Any) -> None:
    elements = document["questions"]
    names = paths.names(elements)
    assert len(set(names)) == len(elements)
    for name, element in zip(names, elements, strict=True):
        path = paths.joined("questions", name)
        assert paths.at(document, path) is element
        assert paths.named(document, paths.indices(document, path)) == path


def test_a_renamed_question_is_found_by_who_knows_its_old_name() -> None:
    document = {"questions": [{"key": "a", "text": "Which?"}]}
    done = do(document, DraftChange("set", "questions/a/key", "b"))
    assert done is not None
    assert path_after("questions/a/text", [done]) == "questions/b/text"
    assert path_after("questions/ab/text", [done]) == "questions/ab/text"


def test_what_is_not_there_is_not_set() -> None:
    with pytest.raises(paths.NoSuchPlace):
        do({"title": ""}, DraftChange("set", "titel", "x"))
