"""Work lists of a bank: entries and passages to review, and the figures that flagged them."""

from collections import ChainMap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from analysis.inputs.bank_cells import GradeState, larger_pool, texts_fingerprint
from analysis.inputs.bank_grades import BankGrades, judged_on, level_on
from analysis.inputs.judged_passages import judged_fingerprint
from analysis.pages.banks.boards import cached, digest_of, kept_parts
from analysis.stats.arrays import Ints
from analysis.stats.retrieval.oversight import (
    entry_difficulty,
    rater_distance,
    relevant_from,
    spurious_entries,
    uncovered_passages,
)
from analysis.stats.retrieval.rankings import Qrels
from judging.banks.deciding import KEPT
from judging.banks.entries_at import EntryAt, State, entries_at
from judging.banks.scales import BankScales
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
    """Evidence in the grades of a bank, or of a topic, apart from decisions on its entries.

    lists: by name. newest: time of the last grade of each entry. texts: graded texts of each entry,
    passages as positive ids and responses as negative ones. judged: judgments of the texts that
    rows show. covering: systems that cover an entry.
    """

    lists: Mapping[str, list[Finding]]
    newest: Mapping[str, datetime]
    texts: Mapping[str, Ints]
    judged: Mapping[str, int]
    covering: Mapping[str, list[str]]

    @classmethod
    def merged(cls, parts: Sequence["Findings"]) -> "Findings":
        """Return the findings of all topics, given in the order of rows that are alike."""
        lists = {
            name: sorted((row for part in parts for row in part.lists[name]), key=key)
            for name, key in ORDERS.items()
        }
        rest = ("newest", "texts", "judged", "covering")
        return cls(lists, *(dict(ChainMap(*(getattr(p, name) for p in parts))) for name in rest))


@dataclass(frozen=True)
class BankFindings:
    """Findings of a bank, and the grades from which a text covers an entry and is relevant."""

    findings: Findings
    level: int
    relevant: int
    has_judgments: bool

    @classmethod
    def of(cls, bank: Bank) -> "BankFindings":
        """Return the findings; those of a topic are kept until something of it changes."""
        keys = bank.revision if text_questions(bank) else 0
        grades, judgments = GradeState.of(bank), judged_fingerprint(bank.corpus)
        state = (texts_fingerprint(bank), keys, judgments)
        of = ("findings", sorted(grades.by_topic.items()), state)
        found: BankFindings = cached(bank, of, lambda: cls._read(bank, grades, state))
        return found

    @classmethod
    def _read(cls, bank: Bank, grades: GradeState, state: tuple[Any, ...]) -> "BankFindings":
        judged: Qrels = cached(bank, ("judged", *state[-1]), lambda: judged_on(bank.corpus))
        relevant = relevant_from([grade for row in judged.values() for grade in row.values()])
        scale, pool = BankScales.of(bank).common, larger_pool(grades.counts)

        def compute(topics: Collection[int]) -> dict[int, Findings]:
            read = BankGrades.of(bank, topics=topics)
            return _Reading(read, judged, relevant).by_topic(topics)

        digests = {
            topic: digest_of((grades.by_topic[topic], state, scale, pool))
            for topic in sorted(grades.by_topic, key=str)
        }
        parts = kept_parts(bank, "findings", digests, compute)
        return cls(Findings.merged(parts), level_on(scale), relevant, bool(judged))


@dataclass(frozen=True)
class WorkLists:
    """The work lists of a bank. A kept entry is hidden until it gets a new grade."""

    bank: Bank
    of_bank: BankFindings

    @classmethod
    def of(cls, bank: Bank) -> "WorkLists":
        return cls(bank, BankFindings.of(bank))

    @property
    def findings(self) -> Findings:
        return self.of_bank.findings

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


ORDERS: dict[str, Callable[[Finding], float]] = {
    "spurious": lambda row: -row.figures["passages"],
    "uncovered": lambda row: -row.figures["judgment"],
    "universal": lambda row: -row.figures["share"],
    "hard": lambda row: row.figures["share"],
    "apart": lambda row: -row.figures["distance"],
}


@dataclass(frozen=True)
class _Reading:
    """Reads the findings from all grades about some topics of a bank."""

    grades: BankGrades
    judged: Qrels
    relevant: int

    def by_topic(self, topics: Collection[int]) -> dict[int, Findings]:
        votes = self.grades.votes
        read: dict[str, Callable[[], list[Finding]]] = {
            "spurious": self._spurious,
            "uncovered": self._uncovered,
            "universal": lambda: self._of_kind("universal"),
            "hard": lambda: self._of_kind("hard"),
            "apart": self._apart,
        }
        lists: dict[int, dict[str, list[Finding]]] = {
            topic: {name: [] for name in read} for topic in topics
        }
        for name, rows in read.items():
            for row in [] if votes.empty else rows():
                lists[row.topic][name].append(row)
        signed = votes["passage"].str[1:].astype(int)
        signed = signed.where(votes["passage"].str[0] == "p", -signed)
        texts = {str(key): part.unique() for key, part in signed.groupby(votes["entry"])}
        newest: dict[Any, datetime] = votes.groupby("entry")["at"].max().to_dict()
        flagged = [
            row.entry
            for of_topic in lists.values()
            for name in ("universal", "hard")
            for row in of_topic[name]
        ]
        covering = self._covering(flagged)
        entries: dict[Any, Any] = votes.groupby("topic")["entry"].unique().to_dict()

        def part(topic: int) -> Findings:
            keys = [str(key) for key in entries.get(str(topic), ())]
            judged = self.judged.get(str(topic), {})
            shown = {text for rows in lists[topic].values() for row in rows for text in row.texts}
            return Findings(
                lists=lists[topic],
                newest={key: newest[key] for key in keys},
                texts={key: texts[key] for key in keys},
                judged={text: judged[text] for text in shown if text in judged},
                covering={key: covering[key] for key in keys if key in covering},
            )

        return {topic: part(topic) for topic in topics}

    def _rows(self, frame: pd.DataFrame, texts: Mapping[Any, list[str]]) -> list[Finding]:
        return [
            Finding(int(row["topic"]), row["entry"], row, named[:MOST_TEXTS], len(named))
            for row in frame.to_dict("records")
            for named in [texts.get(row["entry"], [])]
        ]

    def _spurious(self) -> list[Finding]:
        grades = self.grades
        how: dict[str, int] = {"relevant": self.relevant, "level": grades.level}
        frame = spurious_entries(grades.means, self.judged, **how)
        good = grades.means[grades.means["grade"] >= grades.level]
        low = {
            text
            for topic in self.judged.values()
            for text, grade in topic.items()
            if grade < self.relevant
        }
        texts = good[good["passage"].isin(low)].groupby("entry")["passage"].apply(list).to_dict()
        return self._rows(frame, texts)

    def _uncovered(self) -> list[Finding]:
        grades = self.grades
        how: dict[str, int] = {"relevant": self.relevant, "level": grades.level}
        frame = uncovered_passages(grades.means, self.judged, **how)
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
