"""Interface, documentation and code avoid phrases that the writing guide rules out."""

import re

import pytest

from config import catalogues

RULED_OUT = re.compile(r"\bheld\s+against\b|\bholds?\s+(?:\w+\s+){0,4}against\b", re.IGNORECASE)
PARTS = ("annotation", "analysis", "judging", "writing", "templates", "docs", "README.md")
TEXTS = {".py", ".html", ".md", ".txt"}


@pytest.mark.parametrize("part", PARTS)
def test_no_text_holds_one_thing_against_another(part):
    path = catalogues.ROOT / part
    files = [path] if path.is_file() else sorted(path.rglob("*"))
    texts = {file: file.read_text() for file in files if file.suffix in TEXTS}
    assert texts
    assert not [str(file) for file, text in texts.items() if RULED_OUT.search(text)]


@pytest.mark.parametrize("phrase", ["is held against\n    people", "hold such an answer against"])
def test_the_phrase_is_recognized_over_lines(phrase):
    assert RULED_OUT.search(phrase)
