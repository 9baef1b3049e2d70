"""The guides in docs/ are short: words in all, words a sentence, sentences a paragraph."""

import re
from pathlib import Path

import pytest

from tests.services.children import ROOT

GENERATED = {"data-dictionary.md"}
MAX_WORDS = 25_000
MAX_MEAN_SENTENCE = 20  # words
MAX_PARAGRAPH = 4  # sentences
GUIDES = sorted(path for path in (ROOT / "docs").glob("*.md") if path.name not in GENERATED)
LIST_MARK = re.compile(r"^\s*(?:[-*]|\d+\.)\s+", re.M)


def blocks(text: str) -> list[str]:
    """Return paragraphs and list items, without code, tables, headings and pictures."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    prose = re.sub(r"^(?:\s*\||#|!\[).*$", "", prose, flags=re.M)
    prose = LIST_MARK.sub("\n\n", prose)
    return [" ".join(block.split()) for block in re.split(r"\n\s*\n", prose) if block.strip()]


def sentences(block: str) -> list[str]:
    """Return the sentences of a block; a point in a code span or number ends none."""
    plain = re.sub(r"`[^`]*`", "code", re.sub(r"\]\([^)]*\)", "", block))
    return [s for s in re.split(r"(?<=[.!?:])[*\"”)]*\s+(?=[A-Z“*\[])", plain) if s.strip()]


def test_all_guides_have_at_most_25000_words():
    assert sum(len(path.read_text().split()) for path in GUIDES) <= MAX_WORDS


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_a_sentence_of_a_guide_has_20_words_on_average(guide: Path):
    lengths = [len(s.split()) for block in blocks(guide.read_text()) for s in sentences(block)]
    assert lengths
    assert sum(lengths) / len(lengths) <= MAX_MEAN_SENTENCE


@pytest.mark.parametrize("guide", GUIDES, ids=lambda path: path.stem)
def test_a_paragraph_of_a_guide_has_at_most_four_sentences(guide: Path):
    long = [block for block in blocks(guide.read_text()) if len(sentences(block)) > MAX_PARAGRAPH]
    assert not long, "\n\n".join(long)
