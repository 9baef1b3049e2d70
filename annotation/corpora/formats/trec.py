"""The files of TREC: topics, runs (six columns) and qrels (four columns). Pure.

trec_eval reads of a run the topic, the passage and the score: it sorts by the score as a float of
32 bits, and puts equal scores by the passage's id from the end of the alphabet. It never reads the
rank. Ranks are those of that order here, too, and runs are written with scores that decrease
strictly, so that every program reads one order.
"""

import html
import math
import re
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from annotation.corpora.formats.faults import FormatFault
from annotation.texts.sentences import Sentence

RUN = ("topic", "Q0", "passage", "rank", "score", "system")
WHOLE = re.compile(r"[+-]?[0-9]{1,18}")


@dataclass(frozen=True)
class TrecTopic:
    """The title is what people search for; description and narrative say it at length."""

    key: str
    title: str
    description: str = ""
    narrative: str = ""


class RankedPassage(NamedTuple):
    """A passage in the ranking of a system; rank 1 is the best."""

    system: str
    topic: str
    passage: str
    rank: int
    score: float | None = None


class Graded(NamedTuple):
    """Grade of a passage's relevance to a topic; the iteration can name a part of the topic."""

    topic: str
    passage: str
    grade: int
    iteration: str = "0"


# -- Runs --------------------------------------------------------------------------------------
def run(lines: Iterable[str]) -> Iterator[tuple[int, RankedPassage | FormatFault]]:
    """Each passage of a run with its rank, a list after the other; bad lines come first."""
    lists: dict[tuple[str, str], dict[str, tuple[int, float]]] = {}
    for number, line in enumerate(lines, start=1):
        if not (cells := line.split()):
            continue
        if fault := run_fault(cells):
            yield number, fault
            continue
        topic, _, passage, _, score, system = cells
        ranked = lists.setdefault((system, topic), {})
        if passage in ranked:
            first = ranked[passage][0]
            reason = Sentence(
                "{passage!r} is a duplicate in {topic!r}, first seen in line {first}",
                passage=passage,
                topic=topic,
                first=first,
            )
            yield number, FormatFault("passage", reason)
        else:
            ranked[passage] = number, float(score)
    for (system, topic), ranked in lists.items():
        single = dict(zip(ranked, _singles(score for _, score in ranked.values()), strict=True))
        order = sorted(ranked, key=lambda passage: (single[passage], passage), reverse=True)
        for rank, passage in enumerate(order, start=1):
            number, score_read = ranked[passage]
            yield number, RankedPassage(system, topic, passage, rank, score_read)


def run_fault(cells: list[str]) -> FormatFault | None:
    """Return why these cells are no line of a run, or None."""
    if len(cells) != len(RUN):
        return FormatFault(
            "",
            Sentence(
                "has {cells} columns, not six: {listed}", cells=len(cells), listed=", ".join(RUN)
            ),
        )
    if not WHOLE.fullmatch(cells[3]):
        return FormatFault(
            "rank", Sentence("must be a whole number, not {value!r}", value=cells[3][:40]), cells[3]
        )
    try:
        finite = math.isfinite(float(cells[4])) and math.isfinite(*_singles([float(cells[4])]))
    except ValueError:
        finite = False
    return (
        None
        if finite
        else FormatFault(
            "score", Sentence("must be a number, not {value!r}", value=cells[4][:40]), cells[4]
        )
    )


def written_run(ranked: Iterable[RankedPassage]) -> Iterator[str]:
    """Yield the lines of a run; scores that do not decrease strictly become ranks down to 1.

    Raises ValueError for a key that is empty or contains white space.
    """
    lists: dict[tuple[str, str], list[RankedPassage]] = {}
    for passage in ranked:
        lists.setdefault((passage.system, passage.topic), []).append(passage)
    for ranking in lists.values():
        ranking.sort(key=lambda passage: passage.rank)
        for passage, score in zip(ranking, _scores(ranking), strict=True):
            keys = (_word(passage.topic), "Q0", _word(passage.passage), str(passage.rank))
            yield " ".join((*keys, f"{score!r}", _word(passage.system))) + "\n"


def _scores(ranked: list[RankedPassage]) -> list[float]:
    scores = [passage.score for passage in ranked if passage.score is not None]
    if len(scores) == len(ranked) and all(a > b for a, b in pairwise(_singles(scores))):
        return scores
    return [float(len(ranked) - place) for place in range(len(ranked))]


def _singles(scores: Iterable[float]) -> Iterable[float]:
    """Return the scores as trec_eval holds them: floats of 32 bits."""
    return array("f", scores)


# -- Qrels -------------------------------------------------------------------------------------
def written_qrels(graded: Iterable[Graded]) -> Iterator[str]:
    """Yield the lines of a qrels file. Raises ValueError as `written_run` does."""
    for grade in graded:
        keys = (grade.topic, grade.iteration, grade.passage)
        yield f"{' '.join(map(_word, keys))} {grade.grade}\n"


def _word(key: str) -> str:
    if key.split() != [key]:
        raise ValueError(
            Sentence("{key!r} contains whitespace, which separates columns in TREC files.", key=key)
        )
    return key


# -- Topics ------------------------------------------------------------------------------------
TOP = re.compile(r"<top>(.*?)</top>", re.IGNORECASE | re.DOTALL)
TAG = re.compile(r"<(num|title|desc|narr)>", re.IGNORECASE)
CLOSING = re.compile(r"</(num|title|desc|narr)>", re.IGNORECASE)
LABEL = re.compile(r"\s*(Number|Topic|Description|Narrative):", re.IGNORECASE)


def topics(lines: Iterable[str]) -> Iterator[tuple[int, TrecTopic | FormatFault]]:
    """Topics between <top> tags, whose inner tags may stay open; the number is that of <top>."""
    text = "".join(lines)
    number, end = 1, 0
    for match in TOP.finditer(text):
        if fault := _between(text[end : match.start()]):
            yield number, fault
        number += text.count("\n", end, match.start())
        yield number, _topic(match[1])
        number += text.count("\n", match.start(), match.end())
        end = match.end()
    if fault := _between(text[end:]):
        yield number, fault


def _between(text: str) -> FormatFault | None:
    """Return the fault of text outside topics, where none is allowed."""
    if not text.strip():
        return None
    if "<top>" in text.lower():
        return FormatFault("", Sentence("<top> is not closed"))
    return FormatFault("", Sentence("is outside <top>: {value}", value=text.strip()[:40]))


def _topic(text: str) -> TrecTopic | FormatFault:
    if "<top>" in text.lower():
        return FormatFault("", Sentence("<top> is not closed"))
    before, *tagged = TAG.split(CLOSING.sub("", text))
    parts: dict[str, str] = {}
    for name, part in zip(map(str.lower, tagged[::2]), tagged[1::2], strict=True):
        if name in parts:
            return FormatFault(name, Sentence("is a duplicate"))
        parts[name] = html.unescape(" ".join(LABEL.sub("", part, count=1).split()))
    if before.strip():
        return FormatFault("", Sentence("is not a topic tag: {value}", value=before.strip()[:40]))
    for name in ("num", "title"):
        if not parts.get(name):
            return FormatFault(name, Sentence("is missing from the topic"))
    return TrecTopic(parts["num"], parts["title"], parts.get("desc", ""), parts.get("narr", ""))


def topic_table(lines: Iterable[str]) -> Iterator[tuple[int, TrecTopic | FormatFault]]:
    """One topic a line: its key, a tab, its title."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        key, tab, title = line.rstrip("\r\n").partition("\t")
        if not tab or "\t" in title:
            yield number, FormatFault("", Sentence("must be an ID, a tab and a query"))
        else:
            yield number, TrecTopic(key.strip(), title.strip())
