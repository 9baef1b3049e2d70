"""Work lists of a bank: entries and passages to review, and the figures that flagged them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

import pandas as pd

from analysis.inputs.bank_grades import BankGrades
from analysis.stats.retrieval.oversight import (
    entry_difficulty,
    rater_distance,
    spurious_entries,
    uncovered_passages,
)
from judging.banks.deciding import KEPT
from judging.banks.entries_at import EntryAt, State, entries_at
from judging.models import Bank

APART = 0.2  # of the scale: mean difference of two raters, 1 of 0 to 5


@dataclass(frozen=True)
class WorkRow:
    """An entry or a passage in a work list, with its figures and texts."""

    topic: int
    entry: EntryAt | None
    figures: Mapping[Any, Any]
    texts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class WorkLists:
    """The work lists of a bank. A kept entry is hidden until it gets a new grade."""

    grades: BankGrades

    @classmethod
    def of(cls, bank: Bank) -> "WorkLists":
        return cls(BankGrades.of(bank))

    @cached_property
    def by_name(self) -> dict[str, list[WorkRow]]:
        lists: dict[str, Callable[[], list[WorkRow]]] = {
            "spurious": self._spurious,
            "uncovered": self._uncovered,
            "universal": lambda: self._of_kind("universal"),
            "hard": lambda: self._of_kind("hard"),
            "apart": self._apart,
            "stale": self._stale,
        }
        is_empty = self.grades.votes.empty
        return {name: [] if is_empty else rows() for name, rows in lists.items()}

    @cached_property
    def _all(self) -> list[EntryAt]:
        return entries_at(self.grades.bank)

    @cached_property
    def _open(self) -> dict[str, EntryAt]:
        """Entries in use that need review, by key."""
        newest: dict[Any, Any] = self.grades.votes.groupby("entry")["at"].max().to_dict()
        return {
            row.key: row
            for row in self._all
            if row.state != State.RETIRED and not is_kept(row, newest.get(row.key))
        }

    def _rows(self, frame: pd.DataFrame, texts: Callable[[str], list[str]]) -> list[WorkRow]:
        return [
            WorkRow(entry.topic_id, entry, figures, texts(entry.key))
            for figures in frame.to_dict("records")
            if (entry := self._open.get(figures["entry"]))
        ]

    def _spurious(self) -> list[WorkRow]:
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
        return self._rows(frame, lambda key: texts.get(key, []))

    def _uncovered(self) -> list[WorkRow]:
        grades = self.grades
        how: dict[str, int] = {"relevant": grades.relevant, "level": grades.level}
        frame = uncovered_passages(grades.means, grades.judged, **how)
        return [
            WorkRow(int(row["topic"]), None, row, [row["passage"]])
            for row in frame.to_dict("records")
        ]

    @cached_property
    def _difficulty(self) -> pd.DataFrame:
        grades = self.grades
        return entry_difficulty(grades.runs, grades.means, grades.entries, level=grades.level)

    def _of_kind(self, kind: str) -> list[WorkRow]:
        frame = self._difficulty[self._difficulty["kind"] == kind]
        ascending = kind == "hard"
        ranked = frame.sort_values(["share", "topic", "entry"], ascending=[ascending, True, True])
        return self._rows(ranked, self._best)

    @cached_property
    def _texts(self) -> dict[Any, list[str]]:
        """The texts of each entry, highest grades first."""
        ordered = self.grades.means.sort_values("grade", ascending=False, kind="stable")
        texts: dict[Any, list[str]] = ordered.groupby("entry")["passage"].apply(list).to_dict()
        return texts

    def _best(self, key: str) -> list[str]:
        return self._texts.get(key, [])

    def _apart(self) -> list[WorkRow]:
        lowest, highest = self.grades.scale
        frame = rater_distance(self.grades.votes, highest - lowest)
        frame = frame[frame["distance"] >= APART * (highest - lowest) - 1e-9]
        votes = self.grades.votes.groupby(["entry", "passage"])["score"]
        width = (votes.max() - votes.min()).rename("width").reset_index()
        wide = width[width["width"] > 0].sort_values("width", ascending=False, kind="stable")
        texts = wide.groupby("entry")["passage"].apply(list).to_dict()
        return self._rows(frame, lambda key: texts.get(key, []))

    def _stale(self) -> list[WorkRow]:
        """Return edited entries with texts that were graded only on earlier wordings."""
        votes = self.grades.votes
        texts: dict[Any, list[str]] = votes.groupby("entry")["passage"].apply(list).to_dict()
        by_pk = {row.pk: row for row in self._all}
        rows = []
        for row in self._open.values():
            old, before = set[str](), by_pk.get(row.replaces_id or 0)
            wording = before.text if before else ""
            while before:
                old |= {*texts.get(before.key, ())}
                before = by_pk.get(before.replaces_id or 0)
            missing = old - {*texts.get(row.key, ())}
            if missing:
                figures = {"old": len(old), "missing": len(missing), "wording": wording}
                rows.append(WorkRow(row.topic_id, row, figures, sorted(missing)))
        return sorted(rows, key=lambda row: -row.figures["missing"])


def is_kept(row: EntryAt, newest: datetime | None) -> bool:
    """Return whether a person chose Keep after the newest grade of the entry."""
    return row.reason.startswith(KEPT) and (newest is None or newest <= row.decided_at)
