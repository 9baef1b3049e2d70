"""Analysis of bank entries: agreement with passage judgments, difficulty, rater distance."""

from collections.abc import Iterator, Sequence

import pandas as pd

from analysis.analyses.retrieval import levels_of, runs_of, to_passages
from analysis.inputs.analysis_input import AnalysisInput, Table, Tables, table, table_of
from analysis.inputs.columns import COUNT, INTERVAL, SHARE, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.worker_copies import counted_once
from analysis.stats.retrieval.coverage import Bank
from analysis.stats.retrieval.grade_agreement import KAPPAS, kappa_tables
from analysis.stats.retrieval.mean_grades import mean_grades, qrels_from
from analysis.stats.retrieval.oversight import (
    entry_difficulty,
    rater_distance,
    relevant_from,
    spurious_entries,
    uncovered_passages,
)
from annotation.texts.sentences import marked

SPURIOUS = ("rater", "topic", "entry", "passages", "judged", "share")
UNCOVERED = ("rater", "topic", "passage", "judgment", "best")
DIFFICULTY = ("kind", "topic", "entry", "covered", "systems", "share")
APART = ("topic", "entry", "cells", "raters", "distance", "far")
SUMMARY = ("list", "rater", "found", "of", "share")
NO_JUDGMENTS = (
    "Agreement can't be computed because there are no relevance judgments. Import them as "
    "labels of a question about passages, or with the corpus."
)


def to_entries(measure: Measure) -> bool:
    """Return whether passages are graded on the entries of a bank."""
    return to_passages(measure) and measure.kind == "passage_criterion"


def bank_oversight(data: AnalysisInput) -> Tables:
    """Return kappa tables, the entries and passages to review, and their numbers."""
    votes = counted_once(data.counted).rename(columns={"criterion": "entry"})
    grades = mean_grades(votes)
    levels = levels_of(data)
    level = levels[len(levels) // 2]  # 4 of 0 to 5, as in Dietz (2024)
    tables, counts, undefined = _beside_judgments(data, grades, level)
    difficulty, counted = _difficulty(data, grades, level, undefined)
    assert data.measure.ends is not None  # it scores passages
    lowest, highest = data.measure.ends
    apart = rater_distance(votes, highest - lowest)
    far = apart[apart["far"] > 0]
    counts += [*counted, ("raters apart", "", len(far), len(apart))]
    rows = [[*row, row[2] / row[3] if row[3] else None] for row in counts]
    return {
        "summary": table_of(SUMMARY, rows),
        **tables,
        "difficulty": difficulty,
        "apart": table(far[list(APART)]),
        "undefined": table_of(("reason",), [[reason] for reason in undefined]),
    }


def _beside_judgments(
    data: AnalysisInput, grades: pd.DataFrame, level: int
) -> tuple[dict[str, Table], list[tuple[str, str, int, int]], list[str]]:
    """Return the tables for each rater of passages, their row counts, and reasons for gaps."""
    parts: dict[str, list[pd.DataFrame]] = {"kappas": [], "spurious": [], "uncovered": []}
    counts, undefined = [], list[str]()
    for rater, judged in _judges(data):
        qrels, relevant = qrels_from(judged), relevant_from(judged["grade"].tolist())
        try:
            kappas = kappa_tables(
                grades, qrels, level=level, relevant=relevant, confidence=data.confidence
            )
        except CannotCompute as reason:
            undefined.append(str(reason))
            continue
        spurious = spurious_entries(grades, qrels, relevant=relevant, level=level)
        uncovered = uncovered_passages(grades, qrels, relevant=relevant, level=level)
        for name, frame in zip(parts, (kappas, spurious, uncovered), strict=True):
            parts[name].append(frame.assign(rater=rater))
        entries = grades.groupby(["topic", "entry"]).ngroups
        counts.append(("spurious entries", rater, len(spurious), entries))
        good = int((_with_grade(judged, grades)["grade"] >= relevant).sum())
        counts.append(("uncovered passages", rater, len(uncovered), good))
    if not parts["kappas"] and not undefined:
        undefined.append(NO_JUDGMENTS)
    columns: dict[str, Sequence[str]] = {
        "kappas": ("rater", *KAPPAS), "spurious": SPURIOUS, "uncovered": UNCOVERED
    }  # fmt: skip
    tables = {
        name: table(pd.concat(frames, ignore_index=True)[list(columns[name])])
        if frames
        else table_of(columns[name], [])
        for name, frames in parts.items()
    }
    return tables, counts, undefined


def _judges(data: AnalysisInput) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield each rater of passages with a frame of topic, passage and grade."""
    if data.judged is not None:
        for rater, judged in data.judged.groupby("rater", sort=True):
            yield str(rater), judged[["topic", "passage", "grade"]]


def _with_grade(judged: pd.DataFrame, grades: pd.DataFrame) -> pd.DataFrame:
    """Return the judgments of those passages that were graded on an entry."""
    return judged.merge(grades[["topic", "passage"]].drop_duplicates(), on=["topic", "passage"])


def _difficulty(
    data: AnalysisInput, grades: pd.DataFrame, level: int, undefined: list[str]
) -> tuple[Table, list[tuple[str, str, int, int]]]:
    """Return the universal and the hard entries, and their numbers."""
    bank: Bank = {str(t): frozenset(part["entry"]) for t, part in grades.groupby("topic")}
    try:
        runs = runs_of(data, set(bank))
    except CannotCompute as reason:
        undefined.append(str(reason))
        return table_of(DIFFICULTY, []), []
    entries = entry_difficulty(runs, grades, bank, level=level)
    ranked = entries[entries["systems"] > 0]
    counts = [
        (f"{kind} entries", "", int((ranked["kind"] == kind).sum()), len(ranked))
        for kind in ("universal", "hard")
    ]
    listed = ranked[ranked["kind"] != ""]
    return table(listed[list(DIFFICULTY)]), counts


COLUMNS: dict[str, Column] = {
    "list": Column("Work list"),
    "rater": Column(meaning=marked("source of the judgments: participants, a rater or a file")),
    "found": Column("Entries or passages", COUNT.form),
    "of": Column("Out of", COUNT.form),
    "share": SHARE,
    "entry": Column("Entry"),
    "passage": Column("Passage"),
    "passages": Column("Passages", COUNT.form),
    "judged": Column("Judged low", COUNT.form, marked("passages graded high but judged low")),
    "judgment": Column(form=NumberFormat.WHOLE),
    "best": Column("Highest grade", COUNT.form),
    "covered": Column("Covered by", COUNT.form, marked("systems that cover the entry")),
    "systems": Column("Systems", COUNT.form),
    "cells": Column("Cells", COUNT.form, marked("passages graded by two or more raters")),
    "distance": Column(
        "Distance", NumberFormat.TWO, marked("mean difference between two raters, in grades")
    ),
    "far": Column(
        "Far apart",
        SHARE.form,
        marked("share of cells whose raters differ by 40% of the scale or more"),
    ),
    "scheme": Column("Labels", meaning=marked("all grades, or grades merged into classes")),
    "answers": Column(
        "Answers",
        COUNT.form,
        marked("k: the label is the passage's k-th highest grade, reached by at least k answers"),
    ),
    "label": Column("Label"),
    "kappa": Column("Cohen's kappa", interval=INTERVAL),
    **{name: Column(name.upper(), COUNT.form) for name in ("tp", "fp", "fn", "tn")},
}
ANALYSIS = Analysis(
    name="bank_oversight",
    title="Bank grades and relevance judgments",
    answers="Do bank grades agree with relevance judgments? Which entries need review?",
    assumes="Topics are independent.",
    reads=Reads.VOTES_ON_ENTRIES,
    applies=to_entries,
    function=bank_oversight,
    columns=COLUMNS,
    published=False,
)
