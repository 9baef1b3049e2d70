"""Values by another convention that have one meaning."""

import pytest

from annotation.corpora.conventions import as_meant
from annotation.corpora.schema import RowKind


@pytest.mark.parametrize(
    ("field", "written", "meant"),
    [
        ("rank", "3", 3),
        ("rank", " 3 ", 3),
        ("rank", "3.0", 3),
        ("rank", 3.0, 3),
        ("rank", 3.5, 3.5),
        ("rank", True, True),
        ("rank", "third", "third"),
        ("score", "0,83", 0.83),
        ("score", "-1,5", -1.5),
        ("score", "0.83", 0.83),
        ("score", "1e-3", 0.001),
        ("score", "0,123", 0.123),
        ("score", "1,234", "1,234"),
        ("score", "1,234.5", "1,234.5"),
        ("ranks_from", 0, "0"),
        ("ranks_from", "1.0", "1"),
        ("topic", 12, "12"),
        ("topic", True, True),
        ("system", "GPT", "GPT"),
    ],
)
def test_numbers_of_a_ranking_are_read_as_they_are_meant(field, written, meant):
    found = as_meant({field: written}, kind=RowKind.RANKINGS)[field]
    assert (found, type(found)) == (meant, type(meant))


@pytest.mark.parametrize(
    ("field", "written", "meant"),
    [
        ("origin", "LLM", "llm"),
        ("origin", " Human ", "human"),
        ("origin", "model", "llm"),
        ("origin", "crowd", "human"),
        ("origin", "both", "both"),
        ("style", "Essay", "essay"),
        ("citations_from", 1, "1"),
        ("citations_from", False, False),
        ("text", "1,5", "1,5"),
    ],
)
def test_words_of_a_response_are_read_as_they_are_meant(field, written, meant):
    assert as_meant({field: written}, kind=RowKind.RESPONSES)[field] == meant


def test_what_a_row_does_not_have_stays_out():
    assert as_meant({"rank": "1"}, kind=RowKind.TOPICS) == {"rank": "1"}
