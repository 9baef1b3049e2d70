"""Assertions on sentences of the interface are found, and those on test data are not."""

import ast

import pytest

from tests.prose.asserted_messages import parts, sentences

MESSAGES = ("{n} files aren't imported.", "Choose who wrote the answers of {name}.")
KNOWN = {part for message in MESSAGES for part in parts(message)}


def found(code):
    return [line for line, _ in sentences(ast.parse(code), KNOWN)]


@pytest.mark.parametrize(
    "code",
    [
        'assert "7 files aren’t imported" in page',
        'assert page.text == f"{n} files aren&#x27;t imported."',
        'assert b"Choose who wrote the answers" in page.content',
        'with pytest.raises(Refusal, match=r"who wrote the answers of \\w+"):\n    pass',
        'expect(page).to_contain_text("Choose who wrote the answers")',
        'SENTENCE = "files aren\'t imported"\nassert SENTENCE in page',
        '@pytest.mark.parametrize(("n", "said"), [(f(1), "7 files aren\'t imported")])\n'
        "def test(n, said):\n    assert said in load(n)",
    ],
)
def test_a_sentence_of_the_interface_is_found(code):
    assert found(code) == [1]


@pytest.mark.parametrize(
    "code",
    [
        'assert element(page, "data-skipped").numbers == [7]',
        'assert "not imported" in page',
        'send("files aren\'t imported")\nassert "files aren\'t imported" in page',
        'TEXT = "files aren\'t imported"\nsend(TEXT)\nassert TEXT in page',
        'assert "files_aren_imported" in names',
    ],
)
def test_codes_numbers_and_test_data_are_no_sentences(code):
    assert found(code) == []
