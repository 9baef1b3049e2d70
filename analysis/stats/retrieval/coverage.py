"""Passages graded on the entries of a bank (exam questions or nuggets): coverage and qrels.

Dietz (2024), the Rubric workbench. A grade from 0 to 5 rates how well a passage answers an entry;
an entry is covered at level g if one of the first k passages of a system has grade g or more.
"""

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd

from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.retrieval.rankings import Qrels, Run, mean_over_topics

By = Literal["maximum", "count", "threshold"]
Bank = Mapping[str, frozenset[str]]  # topic -> its entries

GRADES = ("topic", "passage", "entry", "grade")
NO_ENTRIES = "Coverage cannot be computed because the bank has no entry."


Answers = Mapping[str, Mapping[str, frozenset[str]]]  # topic -> passage -> entries it answers


def _answered(grades: pd.DataFrame, bank: Bank, level: int) -> Answers:
    """Return the entries answered by each passage. Raises CannotCompute (empty_bank)."""
    if not any(bank.values()):
        raise CannotCompute("empty_bank", NO_ENTRIES)
    good = grades[grades["grade"] >= level]
    answers: dict[str, dict[str, set[str]]] = {}
    for topic, passage, entry in zip(good["topic"], good["passage"], good["entry"], strict=True):
        if entry in bank.get(topic, ()):
            answers.setdefault(topic, {}).setdefault(passage, set()).add(entry)
    return {
        topic: {passage: frozenset(entries) for passage, entries in passages.items()}
        for topic, passages in answers.items()
    }


def _cover_of(run: Run, answers: Answers, bank: Bank, depth: int) -> pd.DataFrame:
    """Return one row a topic: the covered share of its entries, and of those that are answered.

    Topics without a ranking count as zero.
    """
    if depth < 1:
        raise BadSetting("depth", depth, "1 or more")
    rows = []
    for topic in sorted(topic for topic, entries in bank.items() if entries):
        passages = answers.get(topic, {})
        read = list(run.get(topic, ()))[:depth]
        covered = len(frozenset[str]().union(*(passages.get(key, ()) for key in read)))
        answered = len(frozenset[str]().union(*passages.values()))
        share = covered / answered if answered else float("nan")
        size = len(bank[topic])
        rows.append((covered / size, share, bool(read)))
    return pd.DataFrame(rows, columns=["cover", "normalised", "ranked"])


def cover(
    runs: Mapping[str, Run],
    grades: pd.DataFrame,
    bank: Bank,
    *,
    level: int = 4,
    depth: int = 20,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return one row a system and measure (cover, normalised): value, low, high, sd, n, missing.

    grades: topic, passage, entry, grade. cover: the covered share of the entries of a topic.
    normalised: their share of the entries that any graded passage answers; NaN if none does.
    n: topics that have a value; missing: those without a ranking, which count as zero.
    Raises CannotCompute (empty_bank), BadSetting.
    """
    answers = _answered(grades, bank, level)
    rows = []
    for system, run in runs.items():
        topics = _cover_of(run, answers, bank, depth)
        missing = int((~topics["ranked"]).sum())
        for measure in ("cover", "normalised"):
            values = topics[measure].dropna().to_numpy(np.float64)
            if len(values):
                summary = mean_over_topics(values, confidence)
                rows.append({"system": system, "measure": measure} | summary | {"missing": missing})
    columns = ["system", "measure", "value", "low", "high", "sd", "n", "missing"]
    return pd.DataFrame(rows, columns=columns)


def qrels_of(grades: pd.DataFrame, by: By, *, level: int = 1) -> Qrels:
    """Return grades on entries as one grade a passage, for trec measures.

    maximum: the highest grade. count: the number of entries with grade `level` or more. threshold:
    1 if there is such an entry, else 0. The published walk-through exports counts and then takes
    them for grades at level 4; that is why the way has a name here. Raises BadSetting.
    """
    groups = grades.groupby(["topic", "passage"])["grade"]
    if by == "maximum":
        grade = groups.max()
    elif by == "count":
        grade = groups.agg(lambda each: int((each >= level).sum()))
    elif by == "threshold":
        grade = groups.agg(lambda each: int((each >= level).any()))
    else:
        raise BadSetting("by", by, "maximum, count or threshold")
    qrels: dict[str, dict[str, int]] = {}
    for row in grade.rename("grade").reset_index().to_dict("records"):
        qrels.setdefault(str(row["topic"]), {})[str(row["passage"])] = int(row["grade"])
    return qrels
