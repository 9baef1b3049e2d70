"""Rubric (Dietz 2024): agreement with judges, correlation of leaderboards, coverage.

The inputs are the printed counts and leaderboards, and Rubric's own files if available.
"""

import gzip
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.replication.papers.cells import ExpectedValue, PaperTable, Replica, compared, unread
from analysis.replication.papers.rubric_official import OFFICIAL, official_table
from analysis.replication.papers.table_files import BadTable, lines_of
from analysis.replication.table_rules import PrintedTable, read_table
from analysis.stats.arrays import Floats
from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.coverage import cover
from analysis.stats.retrieval.grade_agreement import KAPPAS, binary_kappa, kappa_tables
from annotation.corpora.formats import rubric
from annotation.corpora.formats.faults import FormatFault

SOURCE = "Dietz 2024, tables as printed, and the files of the Autograder Workbench"
MOST_COUNTED = 1e12
AGREEMENT, BOARDS = "table5", ("leaderboard", "table4")
PASSAGES, BANK = "rubric_passages.jsonl.gz", "rubric_bank.jsonl.gz"
FILES = (*(f"{name}.csv" for name in (AGREEMENT, *BOARDS)), PASSAGES, BANK, OFFICIAL)
WELL, RELEVANT, DEPTH = 4, 2, 20
COUNTS = ("tp", "fp", "fn", "tn")
SOME = "Printed for all systems; the table has only some, so they are not compared."
Cells = dict[tuple[str, str], ExpectedValue]


def replicate(folder: Path) -> Replica:
    """Compare the paper's tables in a folder with their own inputs. Raises BadTable."""
    replica = Replica("rubric", "Rubric: exam questions and nuggets", SOURCE)
    files = [f"{name}.csv" for name in (AGREEMENT, *BOARDS)]
    present = [name for name in (*files, PASSAGES) if (folder / name).is_file()]
    if not present:
        raise BadTable("missing_files", f"{folder} has none of {', '.join((*files, PASSAGES))}.")
    for name in (AGREEMENT, *BOARDS):
        path = folder / f"{name}.csv"
        if path.is_file():
            table = read_table(lines_of(path))
            make = _agreement if name == AGREEMENT else _leaderboard
            replica.tables.append(make(name, table))
        else:
            replica.missing[name] = f"{path.name} is not in the folder."
    if (folder / PASSAGES).is_file():
        replica.tables += _graded(folder)
    else:
        replica.missing["coverage"] = f"{PASSAGES} is not in the folder."
    return replica


# -- Agreement -------------------------------------------------------------------------------------


def _agreement(name: str, table: PrintedTable) -> PaperTable:
    """Return table 5: rows are banks, columns the counts; kappa and totals follow."""
    columns = {_plain(column): column for column in table.columns}
    counts = [columns.get(count) for count in COUNTS]
    if None in counts:
        raise BadTable("missing_columns", f"{name}.csv has no columns TP, FP, FN and TN.")
    places = [list(table.columns).index(str(column)) for column in counts]
    expected: Cells = {}
    for r, row in enumerate(table.rows):
        tp, fp, fn, tn = (float(value) for value in table.values[r, places])
        if _are_counts(tp, fp, fn, tn):
            follows = {
                "tpfp": ExpectedValue(tp + fp, 0.0, "sum of TP and FP"),
                "fntn": ExpectedValue(fn + tn, 0.0, "sum of FN and TN"),
                "tpfn": ExpectedValue(tp + fn, 0.0, "sum of TP and FN"),
                "fptn": ExpectedValue(fp + tn, 0.0, "sum of FP and TN"),
                "n": ExpectedValue(tp + fp + fn + tn, 0.0, "sum of all counts"),
            }
            if max(tp, tn) < tp + fp + fn + tn:
                agreed = ExpectedValue(binary_kappa(tp, fp, fn, tn), 0.0, "kappa of the counts")
                follows = {"kappa": agreed, **follows}
            names = {"tpfp": "TP + FP", "fntn": "FN + TN", "tpfn": "TP + FN", "fptn": "FP + TN"}
            for key, value in follows.items():
                expected[row, columns.get(key, names.get(key, key))] = value
    lead = "Kappa and totals follow from the four counts. The totals are missing in print."
    title = "Table 5: agreement with the judges"
    read = {(row, table.columns[place]) for row in table.rows for place in places}
    left_out = unread(table, read | set(expected))
    return PaperTable(name, title, lead, compared(_printed(table), expected), left_out)


def _are_counts(*values: float) -> bool:
    """Return whether these are counts, and not all 0: a cell may be empty."""
    return all(0 <= value <= MOST_COUNTED for value in values) and sum(values) > 0


def _plain(name: str) -> str:
    words = "".join(letter for letter in name.lower() if letter.isalnum())
    return {"κ": "kappa", "cohenskappa": "kappa", "total": "n", "passages": "n"}.get(words, words)


def _printed(table: PrintedTable) -> dict[tuple[str, str], tuple[float, float]]:
    return {
        (row, column): (float(table.values[r, c]), float(table.exact[r, c]))
        for r, row in enumerate(table.rows)
        for c, column in enumerate(table.columns)
        if np.isfinite(table.values[r, c])
    }


# -- Leaderboards ----------------------------------------------------------------------------------


def correlations(official: Floats, scores: Floats) -> tuple[float, float]:
    """Return Spearman and tau-b with the official order; equals share the mean of their ranks."""
    ranks = scipy.stats.rankdata(official)
    return (
        float(scipy.stats.spearmanr(ranks, scores).statistic),
        float(scipy.stats.kendalltau(ranks, scores).statistic),
    )


def _leaderboard(name: str, table: PrintedTable) -> PaperTable:
    """Return a leaderboard; rows are systems, then perhaps Spearman and Kendall."""
    official = next((c for c, column in enumerate(table.columns) if _is_official(column)), None)
    if official is None:
        raise BadTable("missing_columns", f"{name}.csv has no column of official ranks or scores.")
    correlated = {
        r: correlation for r, row in enumerate(table.rows) if (correlation := _correlation(row))
    }
    bottom = {
        correlation: r for r, correlation in reversed(correlated.items())
    }  # the first row of each
    systems = [r for r in range(len(table.rows)) if r not in correlated]
    ranked = np.array([r for r in systems if np.isfinite(table.values[r, official])], dtype=int)
    is_rank = "rank" in table.columns[official].lower()
    expected: Cells = {}
    read = {(table.rows[r], table.columns[official]) for r in ranked}
    for c, column in enumerate(table.columns):
        mine = ranked[np.isfinite(table.values[ranked, c])]
        if c == official or len(mine) < 3:
            continue
        sign = -1 if is_rank else 1
        values = correlations(sign * table.values[mine, official], table.values[mine, c])
        for correlation, value in zip(("Spearman", "Kendall"), values, strict=True):
            row = table.rows[bottom[correlation]] if correlation in bottom else correlation
            rule = f"{correlation} correlation over {len(mine)} systems"
            expected[row, column] = ExpectedValue(value, 0.0005, rule)  # scores are printed rounded
        read |= {(table.rows[r], column) for r in mine}
    cells = compared(_printed(table), expected)
    if is_rank and len(ranked) and table.values[ranked, official].max() > len(ranked):
        cells = [replace(cell, comparable=False, reason=SOME) for cell in cells]
    lead = (
        f"Correlation with the official order over the {len(ranked)} systems of the file that have "
        "an official rank or score."
    )
    left_out = unread(table, read | set(expected))
    return PaperTable(name, "Leaderboards", lead, cells, left_out)


def _is_official(name: str) -> bool:
    return any(word in name.lower() for word in ("official", "rank"))


def _correlation(row: str) -> str:
    words = row.lower()
    if "spearman" in words:
        return "Spearman"
    return "Kendall" if "kendall" in words or "tau" in words else ""


# -- Rubric's own files ----------------------------------------------------------------------------


def _graded(folder: Path) -> list[PaperTable]:
    """Return coverage of the bank by each system, and agreement, from graded passages."""
    queries = list(_read(folder / PASSAGES, rubric.passages))
    grades = pd.DataFrame(
        [
            (query, passage.paragraph_id, rating.entry, rating.self_rating)
            for query, passages in queries
            for passage in passages
            for exam in (passage.exam_grades or [])[:1]
            for rating in exam.self_ratings or ()
        ],
        columns=["topic", "passage", "entry", "grade"],
    )
    bank = _bank(folder, grades)
    runs = _runs(queries)
    expected: Cells = {}
    if len(grades) and runs:
        for row in cover(runs, grades, bank, level=WELL, depth=DEPTH).to_dict("records"):
            name = "Cover@20" if row["measure"] == "cover" else "n-Cover@20"
            rule = "mean over topics; no passage counts as zero"
            expected[str(row["system"]), name] = ExpectedValue(float(row["value"]), 0.0, rule)
            error = float(row["sd"]) / np.sqrt(float(row["n"]))
            expected[str(row["system"]), f"± {name}"] = ExpectedValue(error, 0.0, "standard error")
    lead = f"From {PASSAGES}: an entry is covered at grade {WELL} or more; its first grader counts."
    tables = [
        PaperTable("coverage", "Coverage of the bank", lead, compared({}, expected)),
        _judged(queries, grades),
    ]
    if (folder / OFFICIAL).is_file():
        tables.append(official_table(folder, runs, grades, bank))
    return tables


def _judged(queries: Sequence[rubric.Query], grades: pd.DataFrame) -> PaperTable:
    """Return agreement with the judgments of the file: each scheme, of 1, 2 and 5 answers."""
    judged: dict[str, dict[str, int]] = defaultdict(dict)
    for query, passages in queries:
        for passage in passages:
            data = passage.paragraph_data
            if data and data.judgments:
                best = max(judgment.relevance for judgment in data.judgments)
                judged[query][passage.paragraph_id] = best
    expected: Cells = {}
    try:
        rows = kappa_tables(grades, judged, level=WELL, relevant=RELEVANT)
    except CannotCompute:
        rows = pd.DataFrame(columns=list(KAPPAS))
    for row in rows.to_dict("records"):
        name = f"{row['scheme']} {row['label']} / {row['judgment']}, {row['answers']} answers"
        for count in COUNTS:
            expected[name, count.upper()] = ExpectedValue(float(row[count]), 0.0, "count")
        if np.isfinite(row["kappa"]):
            expected[name, "kappa"] = ExpectedValue(row["kappa"], 0.0, "kappa of the counts")
    lead = (
        f"Labels are the k-th highest grade of a passage, for k answers at least: strict from "
        f"{WELL}, lenient above 0. Relevant: {RELEVANT} or more."
    )
    title = "Agreement with the judgments in the file"
    return PaperTable("judged", title, lead, compared({}, expected))


def _read(
    path: Path, reader: Callable[[Iterable[str]], Iterable[tuple[int, Any]]]
) -> Iterator[Any]:
    """Yield the rows of a file of Rubric. Raises BadTable."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for number, row in reader(lines):
                if isinstance(row, FormatFault):
                    raise BadTable("bad_row", f"{path.name}:{number}: {row.field}: {row.reason}")
                yield row
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise BadTable("unreadable", f"{path.name} cannot be read: {error}") from error


def _bank(folder: Path, grades: pd.DataFrame) -> dict[str, frozenset[str]]:
    """Return the entries of each topic: of the bank, or without a bank the graded ones."""
    if (folder / BANK).is_file():
        entries_by_topic: dict[str, set[str]] = defaultdict(set)
        for bank in _read(folder / BANK, rubric.banks):
            entries_by_topic[bank.query_id] |= {entry.key for entry in bank.items}
        return {topic: frozenset(entries) for topic, entries in entries_by_topic.items()}
    return {str(topic): frozenset(rows["entry"]) for topic, rows in grades.groupby("topic")}


def _runs(queries: Sequence[rubric.Query]) -> Mapping[str, Mapping[str, list[str]]]:
    ranked: dict[str, dict[str, list[tuple[int, str]]]] = defaultdict(lambda: defaultdict(list))
    for query, passages in queries:
        for passage in passages:
            for place in passage.paragraph_data.rankings if passage.paragraph_data else ():
                ranked[place.method][query].append((place.rank, passage.paragraph_id))
    return {
        system: {query: [key for _, key in sorted(places)] for query, places in topics.items()}
        for system, topics in sorted(ranked.items())
    }
