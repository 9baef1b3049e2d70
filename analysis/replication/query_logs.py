"""Query logs of a search engine as CSV or TSV: views of summaries, or events of users. Only reads.

| columns | meaning of a row |
|---|---|
| `line` | a view: the deepest line that was seen |
| `seconds` | a view: the time on the summary |
| `user`, `time` | an event: a query or a click; time in ISO 8601 or seconds |
"""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import numpy as np

from analysis.replication.papers.table_files import BadTable, lines_of
from analysis.stats.arrays import Floats
from analysis.stats.summaries.query_log import lines_in, seconds_between
from annotation.models import Segment


def lines_of_log(
    file: Path, *, characters_a_minute: float, characters_a_line: float | None
) -> tuple[Floats, bool]:
    """Return the lines (V,) of each view, and whether they follow from times. Raises BadTable."""
    names, *rows = lines_of(file)
    columns = {name.strip().lower(): k for k, name in enumerate(names)}
    if "line" in columns:
        return np.array(_numbers(rows, columns["line"], file)), False
    if "seconds" in columns:
        seconds = _numbers(rows, columns["seconds"], file)
    elif {"user", "time"} <= set(columns):
        times = _times(rows, columns["time"], file)
        users = [row[columns["user"]].strip() for row in rows]
        seconds = seconds_between(list(zip(users, times, strict=True)))
    else:
        raise BadTable(
            "missing_columns", f"{file} needs the column line, seconds, or user and time."
        )
    if characters_a_line is None:
        raise BadTable("missing_length", "Lines have no known length: name a corpus or characters.")
    return lines_in(
        np.array(seconds),
        characters_a_minute=characters_a_minute,
        characters_a_line=characters_a_line,
    ), True


def mean_line_length(corpus: str) -> float | None:
    """Return the mean characters of overviews, headings and statements; None without any."""
    rows = Segment.objects.filter(response__corpus__slug=corpus, response__copy_of=None)
    rows = rows.exclude(kind__in=(Segment.Kind.SECTION, Segment.Kind.DOCUMENTS))
    lengths = [len(text) for text in rows.values_list("text", flat=True)]
    return sum(lengths) / len(lengths) if lengths else None


def _numbers(rows: Sequence[Sequence[str]], column: int, file: Path) -> list[float]:
    return [_number(row, column, file, number) for number, row in enumerate(rows, start=2)]


def _times(rows: Sequence[Sequence[str]], column: int, file: Path) -> list[float]:
    """Return seconds: those of ISO 8601, or numbers."""
    times = []
    for number, row in enumerate(rows, start=2):
        try:
            times.append(datetime.fromisoformat(row[column].strip()).timestamp())
        except (ValueError, IndexError):
            times.append(_number(row, column, file, number))
    return times


def _number(row: Sequence[str], column: int, file: Path, number: int) -> float:
    try:
        value = float(row[column])
    except (ValueError, IndexError) as error:
        raise BadTable("not_a_number", f"{file}:{number}: no number: {row[column:][:1]}") from error
    if not np.isfinite(value):
        raise BadTable("not_a_number", f"{file}:{number}: {row[column]} isn't a number.")
    return value
