"""JSON and tables as programs write them: no line ends, NaN, bare quotation marks."""

import json
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.corpora.reading.json_documents import concatenated
from annotation.corpora.reading.opening import opening_of
from annotation.corpora.reading.source import Source
from annotation.corpora.reading.source_rows import SourceRow

ROWS = [{"question": f"Why {n}?", "answer": f"So {n}."} for n in range(3)]


def read(name, text):
    stream = BytesIO(text.encode())
    opening = opening_of(stream, name)
    stream.seek(0)
    return list(Source(stream=stream, opening=opening))


def values(name, text):
    rows = read(name, text)
    assert all(isinstance(row, SourceRow) for row in rows), rows
    return [row.values for row in rows]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("glued.jsonl", "".join(map(json.dumps, ROWS))),
        ("spaced.jsonl", "  ".join(map(json.dumps, ROWS))),
        ("indented.json", "\n".join(json.dumps(row, indent=2) for row in ROWS)),
        ("indented.jsonl", "\n".join(json.dumps(row, indent=2) for row in ROWS)),
    ],
)
def test_objects_without_lines_between_them_are_read(name, text):
    assert values(name, text) == ROWS


def test_objects_by_their_numbers_are_rows_with_an_id():
    text = json.dumps({str(number): row for number, row in enumerate(ROWS)})
    assert values("a.json", text) == [{"id": str(n), **row} for n, row in enumerate(ROWS)]


def test_texts_by_their_ids_are_queries():
    rows = values("a.json", json.dumps({"q1": "Why?", "q2": "How?", "q3": "When?"}))
    assert rows[0] == {"topic": "q1", "query": "Why?"}
    one = {"question": "Why?", "answer": "So.", "model": "m"}  # an object alone
    assert values("a.json", json.dumps(one)) == [one]


@pytest.mark.parametrize("name", ["a.jsonl", "a.json"])
def test_a_number_that_python_calls_nan_is_empty(name):
    text = '{"question": "Why?", "score": NaN}'
    text = text if name.endswith("l") else f"[{text}]"
    assert values(name, text) == [{"question": "Why?", "score": None}]


def test_quotation_marks_in_a_table_of_tabs_are_letters_where_they_are_no_quotes():
    lines = ["question\tanswer", 'Why?\t"It" is so.', 'How?\t"never closed', "When?\tnow", 'A\tb"']
    assert [row["answer"] for row in values("a.tsv", "\n".join(lines))] == [
        '"It" is so.',
        '"never closed',
        "now",
        'b"',
    ]
    quoted = 'question\tanswer\nWhy?\t"two\nlines, ""so"""\n'
    assert values("a.tsv", quoted) == [{"question": "Why?", "answer": 'two\nlines, "so"'}]


@given(st.text(max_size=60) | st.lists(st.sampled_from('{}[]":,1aN \n\\ud8')).map("".join))
def test_any_text_is_objects_or_none(text):
    for one in concatenated(text.encode("utf-8", "surrogatepass")):
        assert isinstance(one, dict)
        json.dumps(one, ensure_ascii=False).encode()
