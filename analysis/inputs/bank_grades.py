"""Data frames of a bank's grades, with judgments and rankings of the graded texts.

Only reads. Topics are primary keys; texts are `p7` (a passage) or `r7` (a response).
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

import pandas as pd

from analysis.inputs.bank_cells import PEOPLE as PEOPLE_POOL
from analysis.inputs.bank_cells import GradeState, larger_pool
from analysis.inputs.judged_passages import judged_of_corpus
from analysis.stats.retrieval.coverage import Bank as EntriesByTopic
from analysis.stats.retrieval.leaderboards import grade_levels, middle_of
from analysis.stats.retrieval.mean_grades import qrels_from
from analysis.stats.retrieval.rankings import Qrels
from annotation.models import Corpus, Passage, Ranking, Response
from judging.banks.scales import UNIT, BankScales, Ends
from judging.banks.verifying import with_verdicts
from judging.models import Bank
from judging.raters.cells import PEOPLE, Cell, cells_of, items_with

Runs = dict[str, dict[str, list[str]]]


class GradeVote(NamedTuple):
    """A rater's grade of a text on an entry, on the common scale of the bank."""

    topic: str
    entry: str
    passage: str
    worker: int
    score: float
    is_person: bool
    at: datetime


@dataclass(frozen=True)
class BankGrades:
    """Grades on entries, on one scale: one row a GradeVote.

    Raters are compared over people and models; all else reads the pool that the leaderboard reads.
    """

    votes: pd.DataFrame
    pool: str
    scale: Ends = UNIT

    @classmethod
    def of(cls, bank: Bank, *, topics: Collection[int] | None = None) -> "BankGrades":
        """Read the grades of a bank, about some topics only if they are given."""
        scales = BankScales.of(bank)
        votes = votes_on(bank, cells_of(bank, topics=topics), scales)
        pool = larger_pool(GradeState.of(bank).counts)
        return cls(pd.DataFrame(votes, columns=GradeVote._fields), pool, scales.common)

    @cached_property
    def means(self) -> pd.DataFrame:
        """Mean grade of each text on each entry, halves up: topic, entry, passage, grade."""
        votes = self.votes[self.votes["is_person"] == (self.pool == PEOPLE_POOL)]
        means = votes.groupby(["topic", "entry", "passage"])["score"].mean()
        return ((means.round(9) + 0.5) // 1).rename("grade").reset_index()

    @cached_property
    def level(self) -> int:
        return level_on(self.scale)

    @cached_property
    def entries(self) -> EntriesByTopic:
        """Graded entries by topic."""
        return {str(t): frozenset(part["entry"]) for t, part in self.means.groupby("topic")}

    @cached_property
    def runs(self) -> Runs:
        """Texts of each system per topic: its ranked passages, or its response."""
        runs: Runs = defaultdict(lambda: defaultdict(list))
        topics = list(self.entries)
        ranked = Ranking.objects.filter(topic__in=topics).order_by("system", "topic", "rank")
        for system, topic, pk in ranked.values_list("system__key", "topic", "passage"):
            runs[system][str(topic)].append(f"p{pk}")
        graded = {text[1:] for text in self.votes["passage"].unique() if text.startswith("r")}
        answers = Response.objects.filter(pk__in=graded, system__isnull=False).order_by("pk")
        for system, topic, pk in answers.values_list("system__key", "topic", "pk"):
            runs[system][str(topic)].append(f"r{pk}")
        return runs


def level_on(scale: Ends) -> int:
    """Return the lowest grade that covers an entry: 4 on a scale of 0 to 5, as in Dietz (2024)."""
    return middle_of(grade_levels(*scale))


def votes_on(bank: Bank, cells: Iterable[Cell], scales: BankScales) -> list[GradeVote]:
    """Return the graded cells of a bank, answers with the verdicts on them."""
    return [
        GradeVote(
            str(cell.topic),
            cell.entry,
            f"p{cell.passage}" if cell.passage else f"r{cell.response}",
            cell.rater,
            scales.grade_of(cell),
            cell.kind in PEOPLE,
            cell.at,
        )
        for cell in with_verdicts(bank, list(cells))
        if cell.score is not None and (cell.passage or cell.response)
    ]


def votes_on_texts(bank: Bank, texts: Collection[str]) -> list[GradeVote]:
    """Return the grades of some texts on all entries."""
    by_kind = {
        kind: [int(text[1:]) for text in texts if text[0] == kind[0]]
        for kind in ("passages", "responses")
    }
    cells = cells_of(bank, items=items_with(bank, **by_kind))
    return votes_on(bank, cells, BankScales.of(bank))


def judged_on(corpus: Corpus) -> Qrels:
    """Return the mean judgment of each passage over its raters, rounded half up."""
    frame = judged_of_corpus(corpus)
    if frame.empty:
        return {}
    means = (frame.groupby(["topic", "passage"])["grade"].mean() + 0.5) // 1
    rows = Passage.objects.filter(topic__corpus=corpus)
    columns = ("topic__key", "key", "topic", "pk")
    places = {(topic, key): (t, pk) for topic, key, t, pk in rows.values_list(*columns)}
    placed_grades = [(*places[at], grade) for at, grade in means.items() if at in places]
    return qrels_from(
        pd.DataFrame(
            [(str(topic), f"p{pk}", int(grade)) for topic, pk, grade in placed_grades],
            columns=["topic", "passage", "grade"],
        )
    )
