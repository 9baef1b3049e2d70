"""One definition of a word, on the server and on the writer's page: tests/words.json."""

import json
from pathlib import Path

import pytest

from annotation.texts.words import count_words

CASES = json.loads((Path(__file__).parents[2] / "words.json").read_text())


@pytest.mark.parametrize(("text", "count"), CASES)
def test_the_server_counts_words_as_the_table_says(text, count):
    assert count_words(text) == count
