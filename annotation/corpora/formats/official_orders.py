"""Leaderboards as files: names of systems with ranks or scores. Pure.

A JSON dictionary (name -> number, or name -> measure -> number), JSON Lines and `tot` of TREC
AutoJudge, the output of ir_measures and trec_eval, rankings of six columns, and tables with a
header. Means over topics come from rows of the topic `all`. Without such rows, they are computed
over all topics of the file, and a missing value counts as zero.
"""

import csv
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotation.texts.sentences import Sentence

ALL = "all"
RUN_NAME = "runid"  # of trec_eval: the measure whose value is the name of the run
MOST_ROWS, MOST_SYSTEMS, MOST_NAME = 500_000, 5_000, 200
TEXTS = ("response", "response_id", "text_id", "unit")  # the last is of our own table of totals
NAMES = (
    *TEXTS, "system", "run", "run_id", "runid", "runtag", "run_name", "run tag", "method", "name",
    "model", "agent", "submission", "tag",
)  # fmt: skip
METHOD = "method"  # of several in a table of totals
TOPICS = ("topic", "topic_id", "query_id", "qid", "query")
MEASURES, VALUES = ("measure", "metric"), ("value", "score", "rank")
LOW = re.compile(r"rank|place|position|^#$", re.IGNORECASE)
HIGH = re.compile(
    r"score|map|mrr|ndcg|recip|prec|recall|^p[@_.(]|^r[@_.(]|bpref|f1|success|accuracy|cover|"
    r"nugget|vital|strict|support|win|elo|strength|rating|auc|kappa|alpha",
    re.IGNORECASE,
)
HIGHER, LOWER = "higher", "lower"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # in no database


class UnreadableOrder(ValueError):
    """A file that can't be read as a leaderboard, with a sentence for the user."""


@dataclass
class Leaderboards:
    """Values of a leaderboard file: measure -> name of the system -> value."""

    by_measure: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def systems(self) -> set[str]:
        return {name for values in self.by_measure.values() for name in values}


def read_leaderboards(text: str, *, file: str = "") -> Leaderboards:
    """Read the leaderboards of a file; `file` names the system of a trec_eval output without one.

    Raises UnreadableOrder.
    """
    text = text.removeprefix("\ufeff")
    rows = list(_bounded(_rows(text, file)))
    if not rows:
        raise UnreadableOrder(Sentence("This file has no ranks or scores."))
    by_measure: defaultdict[str, list[_Row]] = defaultdict(list)
    for row in rows:
        by_measure[row.measure].append(row)
    boards = Leaderboards({measure: _means(mine) for measure, mine in by_measure.items()})
    if len(boards.systems) > MOST_SYSTEMS:
        raise UnreadableOrder(
            Sentence("A leaderboard can have up to {most:,} systems.", most=MOST_SYSTEMS)
        )
    return boards


def direction_of(measure: str, values: Iterable[float]) -> str:
    """Return whether higher or lower is better, or '' if neither name nor values decide it.

    Whole numbers from 1 to n, with few gaps, are taken as ranks (lower is better).
    """
    numbers = sorted(values)
    if LOW.search(measure):
        return LOWER
    if HIGH.search(measure) or any(number % 1 for number in numbers):
        return HIGHER
    is_rank = numbers[0] == 1 and numbers[-1] <= 2 * len(numbers) and len(set(numbers)) > 1
    return LOWER if is_rank and not measure else ""


@dataclass(frozen=True)
class _Row:
    system: str
    measure: str
    topic: str
    value: float


def _bounded(rows: Iterator[_Row]) -> Iterator[_Row]:
    for number, row in enumerate(rows):
        if number >= MOST_ROWS:
            raise UnreadableOrder(
                Sentence("A leaderboard can have up to {most:,} rows.", most=MOST_ROWS)
            )
        system, measure = (" ".join(name.split()) for name in (row.system, row.measure))
        for name in (system, measure or "-"):
            if not 1 <= len(name) <= MOST_NAME or UNSTORABLE.search(name):
                raise UnreadableOrder(
                    Sentence(
                        "Names must have 1 to {most} characters: {name}.",
                        most=MOST_NAME,
                        name=ascii(name[:40]),
                    )
                )
        yield _Row(system, measure, row.topic, row.value)


def _means(rows: Sequence[_Row]) -> dict[str, float]:
    """Return the value of each system for all topics, or its mean over the file's topics."""
    overall: dict[str, float] = {}
    by_topic: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        cell = overall if row.topic == ALL else by_topic[row.system]
        key = row.system if row.topic == ALL else row.topic
        if cell.setdefault(key, row.value) != row.value:
            raise UnreadableOrder(
                Sentence("{system} has two values for one topic.", system=row.system)
            )
    topics = {topic for values in by_topic.values() for topic in values}
    means = {name: sum(values.values()) / len(topics) for name, values in by_topic.items()}
    return means | overall


def _rows(text: str, file: str) -> Iterator[_Row]:
    start = text.lstrip()[:1]
    if start in ("{", "["):
        yield from _json_rows(text)
        return
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("# ")]
    if not lines:
        return
    if any("," in line or ";" in line for line in lines[:1]) or _has_header(lines[0]):
        yield from _table_rows(lines)
        return
    cells = [line.split("\t") if "\t" in line else line.split() for line in lines]
    cells = [[cell.strip() for cell in row] for row in cells]
    widths = {len(row) for row in cells}
    if widths == {2}:
        yield from (_Row(name, "", ALL, _number(value, name)) for name, value in cells)
    elif widths == {3}:
        yield from _trec_eval(cells, file)
    elif widths == {4}:
        yield from _four_columns(cells)
    elif widths == {6}:
        yield from (_Row(row[2], row[5], row[0], _number(row[4], row[2])) for row in cells)
    else:
        raise UnreadableOrder(
            Sentence(
                "A leaderboard without a header needs 2, 3, 4 or 6 columns per row, not {n}.",
                n=", ".join(map(str, sorted(widths)[:4])),
            )
        )


def _trec_eval(cells: Sequence[Sequence[str]], file: str) -> Iterator[_Row]:
    """Yield the rows for all topics from one or more outputs of trec_eval.

    The name of the run precedes these rows, and follows the rows of single topics (-q).
    """
    system = file
    for measure, topic, value in cells:
        if topic != ALL:
            continue
        if measure == RUN_NAME:
            system = value
        elif not system:
            raise UnreadableOrder(Sentence("This trec_eval output has no run name."))
        elif _is_number(value):
            yield _Row(system, measure, topic, _number(value, system))


def _four_columns(cells: Sequence[Sequence[str]]) -> Iterator[_Row]:
    """Yield rows of `tot` (run measure topic value) or of ir_measures (run topic measure value)."""
    second, third = ({row[at] for row in cells} for at in (1, 2))
    is_tot = ALL in third or (ALL not in second and len(second) <= len(third))
    for system, one, other, value in cells:
        measure, topic = (one, other) if is_tot else (other, one)
        yield _Row(system, measure, topic, _number(value, system))


def _has_header(line: str) -> bool:
    cells = [cell.strip().casefold() for cell in re.split(r"[\t,;]", line)]
    is_trec_eval = cells[:2] == [RUN_NAME, ALL]
    return len(cells) > 1 and not is_trec_eval and any(cell in NAMES for cell in cells)


def _table_rows(lines: Sequence[str]) -> Iterator[_Row]:
    separator = max("\t,;", key=lines[0].count)
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=separator)]
    except csv.Error as error:
        raise UnreadableOrder(Sentence("A cell is too long: check quotation marks.")) from error
    header = [cell.casefold() for cell in rows[0]]
    if not any(cell in NAMES for cell in header):
        if len(header) == 2 and _is_number(rows[0][1]):
            yield from (_Row(row[0], "", ALL, _number(row[-1], row[0])) for row in rows)
            return
        raise UnreadableOrder(
            Sentence("Name the column with the systems: system, run, method or name.")
        )
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise UnreadableOrder(
                Sentence(
                    "Row {number} has {cells} cells, but the header has {columns}.",
                    number=number,
                    cells=len(row),
                    columns=len(header),
                )
            )
    yield from _record_rows([dict(zip(rows[0], row, strict=True)) for row in rows[1:]])


def _record_rows(records: Sequence[Mapping[str, Any]]) -> Iterator[_Row]:
    """Yield values of records in long format (a measure per row) or wide format (per column)."""
    columns = {
        str(name).strip().casefold(): name for name in dict.fromkeys(n for r in records for n in r)
    }
    system = next((columns[name] for name in NAMES if name in columns), None)
    topic = next((columns[name] for name in TOPICS if name in columns), None)
    measure = next((columns[name] for name in MEASURES if name in columns), None)
    value = next((columns[name] for name in VALUES if name in columns), None)
    if system is None:
        raise UnreadableOrder(
            Sentence("Name the column with the systems: system, run, method or name.")
        )
    is_text = str(system).strip().casefold() in TEXTS  # of one topic
    method = columns.get(METHOD) if is_text else None
    for record in records:
        name = str(record.get(system, "")).strip()
        about = str(record.get(topic, "") or ALL) if topic is not None else ALL
        about = ALL if is_text else about
        front = f"{record.get(method, '')}, " if method is not None else ""
        if measure is not None and value is not None:
            number = record.get(value, "")
            yield _Row(name, str(record.get(measure, "")), about, _number(number, name))
            continue
        for column, cell in record.items():
            if column not in (system, topic, method) and _is_number(cell):
                yield _Row(name, f"{front}{str(column).strip()}", about, _number(cell, name))


def _json_rows(text: str) -> Iterator[_Row]:
    documents = _documents(text)
    if len(documents) == 1 and isinstance(documents[0], list):
        documents = documents[0]
    if len(documents) == 1 and isinstance(documents[0], dict):
        only = documents[0]
        if not {str(key).casefold() for key in only} & {*NAMES}:
            yield from _dictionary_rows(only)
            return
    if not all(isinstance(document, dict) for document in documents):
        raise UnreadableOrder(Sentence("The JSON must be an object or a list of records."))
    yield from _record_rows(documents)


def _documents(text: str) -> list[Any]:
    """Return the JSON values of the text: one, or one per line. Raises UnreadableOrder."""
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        pass
    documents = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            documents += [json.loads(line)] if line.strip() else []
        except (ValueError, RecursionError) as error:
            raise UnreadableOrder(
                Sentence("Line {number} is not valid JSON.", number=number)
            ) from error
    return documents


def _dictionary_rows(names: Mapping[str, Any]) -> Iterator[_Row]:
    for name, value in names.items():
        if isinstance(value, dict):
            for measure, number in value.items():
                yield _Row(str(name).strip(), str(measure), ALL, _number(number, str(name)))
        else:
            yield _Row(str(name).strip(), "", ALL, _number(value, str(name)))


def _is_number(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and math.isfinite(float(value))
    except (TypeError, ValueError, OverflowError):
        return False


def _number(value: Any, name: str) -> float:
    if not _is_number(value):
        raise UnreadableOrder(
            Sentence(
                "{name!r} must be a number, not {value!r}.",
                name=name[:40],
                value=str(value)[:40],
            )
        )
    return float(value)
