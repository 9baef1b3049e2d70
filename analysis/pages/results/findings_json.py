"""Results of a run for other programs, with the ids of the corpus.

A cell is `{"value", "low", "high", "n"}`: n is the sample size of the inference, and low and high
are None without an interval.
"""

from collections import defaultdict
from typing import Any

import pandas as pd

from analysis.inputs.measures import measures_of
from analysis.inputs.scorers import comparing_scorer, scored_measures
from analysis.inputs.settings import OF_WORKERS, RANKINGS, TIES, in_force
from analysis.models import AnalysisRun
from analysis.runs.findings import missing, names, records, tables

Cell = dict[str, Any]
Nested = dict[str, dict[str, Any]]
CELL = ("value", "low", "high", "n")
OF_NULL = ("null_mean", "null_lowest", "null_highest", "null_draws", "null_p")
# of alpha; the first one that a run has is reported
INTERVALS = ("workers and items", "topics", "items", "workers")


def _known_competence(run: AnalysisRun) -> pd.DataFrame:
    """Return competences without questions whose items too few workers share."""
    competence, unknown = (tables(run, "competence", name) for name in ("competence", "undefined"))
    if competence.empty or unknown.empty:
        return competence
    return competence[~competence["question"].isin(unknown["question"])]


def as_json(run: AnalysisRun) -> dict[str, Any]:
    grades = tables(run, "grades", "grades").rename(
        columns={"grade_low": "low", "grade_high": "high"}
    )
    return {
        "alpha": alpha_of(tables(run, "agreement", "agreement")),
        "competence": _nested(_known_competence(run), "worker", "competence", "votes"),
        "pooled_competence": {
            row["worker"]: _cell(row, "competence", "items") | {"votes": row["votes"]}
            for row in records(tables(run, "crowd", "workers"))
        },
        "gold": _gold(tables(run, "competence", "gold")),
        "grades": _nested(grades, "response", "grade", "compared"),
        "means": _nested(tables(run, "means", "means"), "item", "mean", "n"),
        "corrected": _corrected(tables(run, "corrected", "corrected")),
        "groups": _groups(run),
        "systems": _systems(tables(run, "mixed", "differences")),
        "equal_style": _equal_style(tables(run, "style_adjusted", "differences")),
        "methods": _methods(run),
        **_beside_people(run),
        "missing": [
            {"analysis": analysis, "question": question, "reason": reason}
            for analysis, question, reason in missing(run)
        ],
        "run": {
            "id": run.pk,
            "study": run.study.slug,
            "version": run.version,
            "study_version": run.study.version,
            "parameters": in_force(run.parameters),
            "pool": run.pool,
            "intervals": run.intervals,
            "seed": run.seed,
            "digest": run.digest,
            "state": run.state,
            "overtaken": run.overtaken,
            "without": run.without,
            "created_at": run.created_at.isoformat(),
            "finished_at": run.finished_at and run.finished_at.isoformat(),
        },
    }


def _beside_people(run: AnalysisRun) -> dict[str, Any]:
    """Return the tables that compare models with people; a run of people has none."""
    return {
        analysis: {name: records(tables(run, analysis, name)) for name in tables_of}
        for analysis in ("judges", "score_pairs", "elo_beside")
        if (tables_of := names(run, analysis))
    }


def _cell(row: Cell, value: str, n: str) -> Cell:
    numbers = (row[value], row.get("low"), row.get("high"), row[n])
    return dict(zip(CELL, numbers, strict=True))


def alpha_of(frame: pd.DataFrame) -> dict[str, Cell]:
    """Return alpha of each question, with the interval over workers and items."""
    cells: dict[str, Cell] = {}
    rows = [row for row in records(frame) if row["measure"] == "alpha"]
    for row in sorted(rows, key=lambda row: INTERVALS.index(row["resampled"])):
        cell = _cell(row, "value", "items") | {key: row[key] for key in ("items", "votes")}
        method = f"Krippendorff's alpha ({row['level']}); interval over {row['resampled']}"
        cell |= {"method": method, "about": row.get("about") or None}
        cells.setdefault(row["question"], cell)
    return {row["question"]: cells[row["question"]] for row in rows}


def _nested(frame: pd.DataFrame, outer: str, value: str, n: str) -> Nested:
    """Return the cell of each value of `outer` and each question."""
    nested: Nested = defaultdict(dict)
    for row in records(frame):
        nested[row[outer]][row["question"]] = _cell(row, value, n)
    return dict(nested)


def _gold(frame: pd.DataFrame) -> Nested:
    """Return the label of each item and question with its certainty.

    The certainty is the probability of the next votes, or else that of MACE.
    """
    nested: Nested = defaultdict(dict)
    for row in records(frame):
        label = row["gold"]
        certainty = row["same_label"] if "same_label" in row else row[f"p_{label}"]
        nested[row["item"]][row["question"]] = {"label": label, "certainty": certainty}
    return dict(nested)


def _corrected(frame: pd.DataFrame) -> dict[str, dict[str, Cell]]:
    """Return alpha of all and of the kept votes, with its null, by question.

    n is the number of items with two of these votes.
    """
    nested: dict[str, dict[str, Cell]] = defaultdict(dict)
    for row in records(frame):
        null = {key: row.get(key) for key in OF_NULL}
        # steps of before say neither what the interval is over nor how many items alpha rests on
        n = "items" if row.get("alpha_items") is None else "alpha_items"
        over = row.get("interval_over") or "items"
        cell = _cell(row, "value", n) | null
        cell["method"] = f"Krippendorff's alpha, {row['votes_kept']}; interval over {over}"
        cell["why"] = row.get("why")
        nested[row["question"]][row["votes_kept"]] = cell
    return dict(nested)


def _groups(run: AnalysisRun) -> dict[str, dict[str, Nested]]:
    """Return means of groups ("system", "style, origin") by question, with letters."""
    methods = {
        measure.key: comparing_scorer(measure, run.parameters).method
        for measure in scored_measures(measures_of(run.study, pool=run.pool))
    }
    nested: dict[str, dict[str, Nested]] = defaultdict(lambda: defaultdict(dict))
    for row in records(tables(run, "groups", "means")):
        nested[row["by"]][row["group"]][row["question"]] = _cell(row, "mean", "topics") | {
            "responses": row["responses"],
            "letters": row["letters"],
            "workers": row.get("workers"),
            "over": row.get("over", "topics"),
            "about": row.get("about"),
            "method": methods.get(row["question"], ""),
        }
    return {by: dict(groups) for by, groups in nested.items()}


def _systems(frame: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Return the pairs of systems by question, the better one first (mixed model)."""
    pairs: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in records(frame):
        pair: dict[str, Any] = {"system": row["system"], "other": row["other"]}
        for name, front in (("difference", ""), ("vote", "vote_"), ("better", "better_")):
            ends = {"low": row[f"{front}low"], "high": row[f"{front}high"]}
            pair[name] = _cell(row | ends, name, "topics")
        kept = ("finding", "within", "margin", "p", "p_adjusted", "q", "topics", "workers", "votes")
        pairs[row["question"]].append(pair | {key: row.get(key) for key in kept})
    return dict(pairs)


def _equal_style(frame: pd.DataFrame) -> dict[str, list[dict[str, Any]]]:
    """Return the pairs of systems by question, in the order of _systems, at equal style."""
    findings: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in records(frame):
        plain = row | {"low": row["plain_low"], "high": row["plain_high"]}
        findings[row["question"]].append(
            {
                "system": row["system"],
                "other": row["other"],
                "plain": _cell(plain, "plain", "votes"),
                "difference": _cell(row, "difference", "votes"),
                "p_adjusted": row["p_adjusted"],
                "inflation": row["inflation"],
            }
        )
    return dict(findings)


def _methods(run: AnalysisRun) -> dict[str, str]:
    """Return the method behind each number and its interval."""
    parameters = in_force(run.parameters)
    ranking, compat = parameters["ranking"], parameters["compat"]
    over = "workers of the topic" if ranking in OF_WORKERS else "pairs of the topic"
    return {
        "competence": "MACE, each question alone",
        "pooled_competence": "covariance with the others' answers to the same items, all questions "
        "together, shrunk to the mean of the crowd; interval over items; "
        "below ten workers not shrunk, interval over topics for these raters",
        "gold": "MACE: the most probable label",
        "grades": f"{TIES[parameters['ties']]} on {RANKINGS[ranking]}; interval over {over}",
        "means": "mean; t interval over votes",
        "corrected": "Krippendorff's alpha; each cell says what its interval is over",
        "groups": f"mean over topics; interval over topics{'' if compat else ' and workers'}",
        "systems": "mixed model of votes; interval over topics, texts and workers",
        "equal_style": "mixed model of votes with measures of style; interval as of systems",
    }
