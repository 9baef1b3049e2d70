"""Reading level of the English texts that participants read: Flesch-Kincaid grade."""

import json
import re
from collections.abc import Iterator
from typing import Any

from analysis.stats.text import readability
from config import catalogues
from tests.services.children import ROOT

MOST = 8.0  # years of school
FEWEST_WORDS = 40  # of a text that has a reading level
PLACEHOLDER = re.compile(r"%\(\w+\)\w|\{\w*\}|\[Researcher:[^]]*\]")
MARKS = re.compile(r"^#+ .*$|^\s*[-*|] |\*\*|`|</?\w+[^>]*>", re.MULTILINE)


def grade(text: str) -> float:
    """Return the Flesch-Kincaid grade: .39 words / sentences + 11.8 syllables / words - 15.59.

    Counts are those of our reading ease, which are those of textstat 0.7.4. Later releases of
    textstat load a dictionary from the internet.
    """
    words = readability._words(text)
    sentences = sum(len(readability._words(s)) > 2 for s in readability._SENTENCE.findall(text))
    syllables = sum(readability._syllables(word) for word in words)
    return 0.39 * len(words) / max(sentences, 1) + 11.8 * syllables / len(words) - 15.59


def prose(text: str) -> str:
    """Return the sentences of a text, without headings, marks of Markdown and placeholders."""
    lines = MARKS.sub("", PLACEHOLDER.sub("one", text)).splitlines()
    return " ".join(
        line if line.rstrip().endswith((".", "?", "!")) else f"{line}." for line in lines
    )


def texts() -> dict[str, str]:
    """Return what participants read by its place: parts of instruments, and messages by file."""
    found = dict(_of_instruments()) | dict(_of_messages())
    return {name: text for name, text in found.items() if len(text.split()) >= FEWEST_WORDS}


def _of_instruments() -> Iterator[tuple[str, str]]:
    for path in sorted(ROOT.glob("*/instruments/*.json")):
        if "." in path.stem:  # a translation
            continue
        instrument = json.loads(path.read_text())
        name = path.relative_to(ROOT).as_posix()
        for part in ("instructions", "consent"):
            yield f"{name} {part}", prose(instrument.get(part, ""))
        asked = [*_words(instrument, "definition"), *_words(instrument, "text")]
        yield f"{name} questions", prose("\n".join(asked))


def _words(value: Any, key: str) -> Iterator[str]:
    """Yield the texts of a key, however deep."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name == key and isinstance(part, str):
                yield part
            yield from _words(part, key)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part, key)


def _of_messages() -> Iterator[tuple[str, str]]:
    by_file: dict[str, list[str]] = {}
    for domain in catalogues.DOMAINS:
        for message in catalogues.extracted(domain):
            words = message.id[1] if isinstance(message.id, tuple) else message.id
            if len(words.split()) > 4:
                by_file.setdefault(message.locations[0][0], []).append(words)
    for name, messages in by_file.items():
        yield name, prose("\n".join(messages))
