"""Flesch reading ease of responses and of the documents that they cite.

Flesch 1948: 206.835 - 1.015 words / sentences - 84.6 syllables / words; English texts only. Words,
sentences and syllables are counted as textstat 0.7.4 does, without its rounding between the steps.
Later releases of it download a dictionary when they run, which a server must not.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args

import pandas as pd
from pyphen import Pyphen

from analysis.stats.errors import BadSetting
from analysis.stats.text.counts import GROUPS
from analysis.stats.text.prose import Prose
from analysis.stats.text.topic_bootstrap import Bootstrap, summarise

Unit = Literal["text", "statement"]

_SENTENCE = re.compile(r"\b[^.!?]+[.!?]*")
_MARKS = re.compile(r"[^\w\s]")  # without them don't is one word, and well-known too


@dataclass(frozen=True, eq=False, kw_only=True)
class ReadabilityResult:
    """Reading ease, from about 0 (hard) to 100 (easy); no bounds.

    responses: one row a response: response, topic, the groups, own, cited; NaN without words, or
        where nothing is cited.
    summary: groups, text ("own", "cited"), value (median over responses), low, high, sd, n, topics.
    """

    responses: pd.DataFrame
    summary: pd.DataFrame
    unit: Unit
    bootstrap: Bootstrap


def flesch_reading_ease(text: str) -> float:
    """Return the reading ease of an English text; NaN if it has no words."""
    words = _words(text)
    if not words:
        return float("nan")
    # Fragments of up to two words, such as `e.g.`, are no sentences.
    sentences = sum(len(_words(sentence)) > 2 for sentence in _SENTENCE.findall(text))
    syllables = sum(_syllables(word) for word in words)
    return 206.835 - 1.015 * len(words) / max(sentences, 1) - 84.6 * syllables / len(words)


def readability(
    prose: Prose,
    *,
    by: Sequence[str] = GROUPS,
    unit: Unit = "text",
    bootstrap: Bootstrap | None = None,
) -> ReadabilityResult:
    """Return the reading ease of each response without its citations, and of its cited passages.

    cited is the median over the different passages that a response cites. unit: read the whole text
    of a response, or its statements one by one. The latter is the way of Gienapp et al. 2025: a
    statement counts as often as it cites, and passages too, and their median is taken.
    """
    bootstrap = bootstrap or Bootstrap()
    if unit not in get_args(Unit):
        raise BadSetting("unit", unit, "text or statement")
    frame = prose.responses.drop(columns=["text", "words"])
    cited = prose.cited() if unit == "text" else prose.citations
    passages = _passages(prose, cited)
    frame["own"] = (
        [flesch_reading_ease(text) for text in prose.responses["text"]]
        if unit == "text"
        else frame["response"].map(_statements(prose))
    )
    frame["cited"] = frame["response"].map(passages)
    parts = [
        summarise(frame, text, by, bootstrap=bootstrap, statistic="median").assign(text=text)
        for text in ("own", "cited")
    ]
    columns = [*by, "text", "value", "low", "high", "sd", "n", "topics"]
    return ReadabilityResult(
        responses=frame,
        summary=pd.concat(parts, ignore_index=True)[columns],
        unit=unit,
        bootstrap=bootstrap,
    )


def _passages(prose: Prose, cited: pd.DataFrame) -> pd.Series:
    """Return the median ease of the passages in each row of cited, by response."""
    linked = cited.merge(prose.responses[["response", "topic"]], on="response")
    cited_passages = prose.passages.merge(linked[["topic", "rank"]].drop_duplicates())
    cited_passages["ease"] = [flesch_reading_ease(text) for text in cited_passages["text"]]
    return linked.merge(cited_passages, on=["topic", "rank"]).groupby("response")["ease"].median()


def _statements(prose: Prose) -> pd.Series:
    """Return the median ease of citing statements, each as often as it cites, by response."""
    citing = prose.statements[prose.statements["citations"] > 0]
    eases = citing.assign(ease=[flesch_reading_ease(text) for text in citing["text"]])
    often = eases.loc[eases.index.repeat(eases["citations"])]
    return often.groupby("response")["ease"].median()


def _words(text: str) -> list[str]:
    return _MARKS.sub("", text).split()


@lru_cache(maxsize=100_000)
def _syllables(word: str) -> int:
    """Return one more than the hyphens that Pyphen allows in a word."""
    rules, patterns = hyphenation()
    word = word.lower()
    pointed = f".{word}."
    levels = [0] * (len(pointed) + 1)
    for start in range(len(pointed) - 1):
        for end in range(start + 1, len(pointed) + 1):
            pattern = patterns.get(pointed[start:end])
            if pattern is None:  # no longer part of the word begins a pattern
                break
            if pattern:
                offset, values = pattern
                for place, level in enumerate(values, start + offset):
                    if level > levels[place]:
                        levels[place] = level
    first, last = rules.left + 1, len(word) - rules.right + 1
    return 1 + sum(level % 2 for level in levels[first : max(last + 1, first)])


Pattern = tuple[int, tuple[int, ...]] | tuple[()]  # where its levels begin, and the levels


@cache
def hyphenation() -> tuple[Pyphen, dict[str, Pattern]]:
    """Return the patterns, and their beginnings without levels, read at first use.

    Other commands need not read them; workers do when they start. Pyphen tries all parts of a
    word.
    """
    rules = Pyphen(lang="en_US")
    patterns: dict[str, Pattern] = rules.hd.patterns
    beginnings = {text[:end] for text in patterns for end in range(1, len(text))}
    return rules, dict[str, Pattern].fromkeys(beginnings, ()) | patterns
