"""Work lists of a bank: entries and passages to review, and the figures that flagged them."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analysis.inputs.bank_cells import GradeState, texts_fingerprint
from analysis.inputs.bank_grades import BankGrades
from analysis.inputs.judged_passages import judged_fingerprint
from analysis.pages.banks.boards import cached
from analysis.stats.arrays import Ints
from analysis.stats.retrieval.oversight import (
    entry_difficulty,
    rater_distance,
    spurious_entries,
    uncovered_passages,
)
from judging.banks.deciding import KEPT
from judging.banks.entries_at import EntryAt, State, entries_at
from judging.banks.verifying import text_questions
from judging.models import Bank

DEPTH = 20  # as entry_difficulty
NO_TEXTS: Ints = np.zeros(0, dtype=np.int64)
APART = 0.2  # of the scale: mean difference of two raters, 1 of 0 to 5


MOST_TEXTS = 8  # shown in a row
MOST_SYSTEMS = 20


@dataclass(frozen=True)
class WorkRow:
    """An entry or a passage in a work list, with its figures and its first texts of `n`."""

    topic: int
    entry: EntryAt | None
    figures: Mapping[Any, Any]
    texts: list[str]
    n: int


@dataclass(frozen=True)
class Finding:
    """A row of a work list by the grades alone; `entry` is a key, empty if it is a passage."""

    topic: int
    entry: str
    figures: Mapping[Any, Any]
    texts: list[str]
    n: int


@dataclass(frozen=True)
class Findings:
    """Evidence in the grades of a bank about its entries, apart from decisions on them.

    lists: by name. newest: time of the last grade of each entry. texts: graded texts of each entry,
    passages as positive ids and responses as negative ones. judged: judgments of the texts that
    rows show. covering: systems that cover an entry.
    """

    lists: Mapping[str, list[Finding]]
    newest: Mapping[str, datetime]
    texts: Mapping[str, Ints]
    judged: Mapping[str, int]
    covering: Mapping[str, list[str]]
    level: int
    relevant: int
    has_judgments: bool

    @classmethod
    def of(cls, bank: Bank) -> "Findings":
        """Return the findings; they are kept until a grade, a judgment or a ranking changes."""
        keys = bank.revision if text_questions(bank) else 0
        grades = GradeState.of(bank).by_topic
        texts = texts_fingerprint(bank)
        of = ("findings", *sorted(grades.items()), *texts, keys, *judged_fingerprint(bank.corpus))
        found: Findings = cached(bank, of, lambda: _Reading(BankGrades.of(bank)).findings())
        return found


@dataclass(frozen=True)
class WorkLists:
    """The work lists of a bank. A kept entry is hidden until it gets a new grade."""

    bank: Bank
    findings: Findings

    @classmethod
    def of(cls, bank: Bank) -> "WorkLists":
        return cls(bank, Findings.of(bank))

    @cached_property
    def by_name(self) -> dict[str, list[WorkRow]]:
        lists = {
            name: [row for finding in found if (row := self._row(finding))]
            for name, found in self.findings.lists.items()
        }
        return lists | {"stale": self._stale()}

    @cached_property
    def _all(self) -> list[EntryAt]:
        return entries_at(self.bank)

    @cached_property
    def _open(self) -> dict[str, EntryAt]:
        """Entries in use that need review, by key."""
        newest = self.findings.newest
        return {
            row.key: row
            for row in self._all
            if row.state != State.RETIRED and not is_kept(row, newest.get(row.key))
        }

    def _row(self, found: Finding) -> WorkRow | None:
        entry = self._open.get(found.entry)
        if found.entry and entry is None:
            return None
        topic = entry.topic_id if entry else found.topic
        return WorkRow(topic, entry, found.figures, found.texts, found.n)

    def _stale(self) -> list[WorkRow]:
        """Return edited entries with texts that were graded only on earlier wordings."""
        texts = self.findings.texts
        by_pk = {row.pk: row for row in self._all}
        rows = []
        for row in self._open.values():
            old, before = set[int](), by_pk.get(row.replaces_id or 0)
            wording = before.text if before else ""
            while before:
                old |= {*texts.get(before.key, NO_TEXTS).tolist()}
                before = by_pk.get(before.replaces_id or 0)
            if missing := old - {*texts.get(row.key, NO_TEXTS).tolist()}:
                figures = {"old": len(old), "missing": len(missing), "wording": wording}
                named = sorted(f"p{pk}" if pk > 0 else f"r{-pk}" for pk in missing)
                rows.append(WorkRow(row.topic_id, row, figures, named[:MOST_TEXTS], len(named)))
        return sorted(rows, key=lambda row: -row.figures["missing"])


@dataclass(frozen=True)
class _Reading:
    """Reads the findings from all grades of a bank."""

    grades: BankGrades

    def findings(self) -> Findings:
        grades, votes = self.grades, self.grades.votes
        lists: dict[str, Callable[[], list[Finding]]] = {
            "spurious": self._spurious,
            "uncovered": self._uncovered,
            "universal": lambda: self._of_kind("universal"),
            "hard": lambda: self._of_kind("hard"),
            "apart": self._apart,
        }
        found = {name: [] if votes.empty else rows() for name, rows in lists.items()}
        flat = {text: g for of_topic in grades.judged.values() for text, g in of_topic.items()}
        shown = {text for rows in found.values() for row in rows for text in row.texts}
        flagged = {row.entry for name in ("universal", "hard") for row in found[name]}
        signed = votes["passage"].str[1:].astype(int).where(votes["passage"].str[0] == "p", -1)
        signed = signed.where(signed >= 0, -votes["passage"].str[1:].astype(int))
        texts = {str(key): part.unique() for key, part in signed.groupby(votes["entry"])}
        newest: dict[Any, datetime] = votes.groupby("entry")["at"].max().to_dict()
        return Findings(
            lists=found,
            newest=newest,
            texts=texts,
            judged={text: flat[text] for text in shown if text in flat},
            covering=self._covering(flagged),
            level=grades.level,
            relevant=grades.relevant,
            has_judgments=bool(grades.judged),
        )

    def _rows(self, frame: pd.DataFrame, texts: Mapping[Any, list[str]]) -> list[Finding]:
        return [
            Finding(int(row["topic"]), row["entry"], row, named[:MOST_TEXTS], len(named))
            for row in frame.to_dict("records")
            for named in [texts.get(row["entry"], [])]
        ]

    def _spurious(self) -> list[Finding]:
        grades = self.grades
        how: dict[str, int] = {"relevant": grades.relevant, "level": grades.level}
        frame = spurious_entries(grades.means, grades.judged, **how)
        good = grades.means[grades.means["grade"] >= grades.level]
        low = {
            text
            for topic in grades.judged.values()
            for text, grade in topic.items()
            if grade < grades.relevant
        }
        texts = good[good["passage"].isin(low)].groupby("entry")["passage"].apply(list).to_dict()
        return self._rows(frame, texts)

    def _uncovered(self) -> list[Finding]:
        grades = self.grades
        how: dict[str, int] = {"relevant": grades.relevant, "level": grades.level}
        frame = uncovered_passages(grades.means, grades.judged, **how)
        return [
            Finding(int(row["topic"]), "", row, [row["passage"]], 1)
            for row in frame.to_dict("records")
        ]

    @cached_property
    def _difficulty(self) -> pd.DataFrame:
        grades = self.grades
        return entry_difficulty(grades.runs, grades.means, grades.entries, level=grades.level)

    def _of_kind(self, kind: str) -> list[Finding]:
        frame = self._difficulty[self._difficulty["kind"] == kind]
        ascending = kind == "hard"
        ranked = frame.sort_values(["share", "topic", "entry"], ascending=[ascending, True, True])
        return self._rows(ranked, self._texts)

    @cached_property
    def _texts(self) -> dict[Any, list[str]]:
        """The texts of each entry, highest grades first."""
        ordered = self.grades.means.sort_values("grade", ascending=False, kind="stable")
        texts: dict[Any, list[str]] = ordered.groupby("entry")["passage"].apply(list).to_dict()
        return texts

    def _apart(self) -> list[Finding]:
        lowest, highest = self.grades.scale
        frame = rater_distance(self.grades.votes, highest - lowest)
        frame = frame[frame["distance"] >= APART * (highest - lowest) - 1e-9]
        votes = self.grades.votes.groupby(["entry", "passage"])["score"]
        width = (votes.max() - votes.min()).rename("width").reset_index()
        wide = width[width["width"] > 0].sort_values("width", ascending=False, kind="stable")
        return self._rows(frame, wide.groupby("entry")["passage"].apply(list).to_dict())

    def _covering(self, entries: Collection[str]) -> dict[str, list[str]]:
        """Return the systems of which one of the first texts covers an entry."""
        means = self.grades.means
        good = means[(means["grade"] >= self.grades.level) & means["entry"].isin(entries)]
        runs = sorted(self.grades.runs.items())
        return {
            str(entry): [
                system
                for system, run in runs
                if not covering.isdisjoint(run.get(str(topic), [])[:DEPTH])
            ][:MOST_SYSTEMS]
            for (topic, entry), part in good.groupby(["topic", "entry"])
            for covering in [frozenset(part["passage"])]
        }


def is_kept(row: EntryAt, newest: datetime | None) -> bool:
    """Return whether a person chose Keep after the newest grade of the entry."""
    return row.reason.startswith(KEPT) and (newest is None or newest <= row.decided_at)
