"""Data frames of a bank's cells over all its studies: answers, rankings, citations. Only reads.

Support of answers is scaled to 0 to 1. Grades of passages are converted to the scale that was used
for most passages, averaged over raters and rounded half up. The verdict on an extracted answer
counts instead of yes or no. Models are never pooled with people.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

import pandas as pd
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum

from analysis.stats.retrieval.leaderboards import grade_levels, middle_of
from annotation.corpora.official_orders import matched_orders
from annotation.models import (
    Batch,
    Passage,
    Ranking,
    Response,
    Segment,
    Study,
    Topic,
)
from judging.answering.scales import ends_of
from judging.banks.scales import BankScales
from judging.banks.verifying import with_verdicts
from judging.models import Bank, Instrument, Item, ItemSlot, Judgment, Rater
from judging.raters.cells import PEOPLE as OF_PEOPLE
from judging.raters.cells import Cell, cells_of, counted, counting

PEOPLE, MODELS = "people", "models"
POOLS = {PEOPLE: OF_PEOPLE, MODELS: (Rater.Kind.MODEL,)}
CITED = "statement_documents"


@dataclass(frozen=True, eq=False)
class BankCells:
    """Cells of one pool of raters.

    names: key -> name of each system with an answer or a ranking. answers: system, entry, value
    from 0 to 1. texts: (system, topic) with an answer, graded or not. grades: topic, passage,
    entry, grade; levels: grades from which on a passage may be relevant. rankings: system, topic,
    passage, rank. statements: system, topic, statement, cited, support. cells: number of grades, by
    pool.
    """

    pool: str
    names: dict[str, str]
    answers: pd.DataFrame
    texts: frozenset[tuple[str, str]]
    grades: pd.DataFrame
    levels: tuple[int, ...]
    rankings: pd.DataFrame
    statements: pd.DataFrame
    cells: dict[str, int]

    @property
    def level(self) -> int:
        """The grade from which on an entry is covered."""
        return middle_of(self.levels)


def bank_cells(bank: Bank, pool: str = "") -> BankCells:
    """Return the cells of a pool, by default of the pool with more cells."""
    counts = grades_by_pool(bank)
    chosen = pool or larger_pool(counts)
    cells = with_verdicts(bank, list(cells_of(bank, raters=POOLS[chosen])))
    scales = BankScales.of(bank)
    answers = [cell for cell in cells if cell.response and cell.score is not None]
    passages = [cell for cell in cells if cell.passage and cell.score is not None]
    topics = set(bank.entries.order_by().values_list("topic", flat=True))
    responses = _responses(topics)
    grades = _grades(passages, scales)
    rankings = _rankings(topics if passages else ())
    systems = {system for system, _ in responses.values()} | {*rankings["system"]}
    names = bank.corpus.systems.filter(key__in=systems).values_list("key", "name")
    rows = [
        (
            responses[cell.response][0],
            cell.entry,
            scales.share_of(cell),
        )
        for cell in answers
        if cell.response in responses
    ]
    return BankCells(
        pool=chosen,
        names={key: name or key for key, name in names},
        answers=pd.DataFrame(rows, columns=["system", "entry", "value"]),
        texts=frozenset(responses.values()),
        grades=grades,
        levels=grade_levels(*scales.common),
        rankings=rankings,
        statements=_statements(bank, POOLS[chosen], responses),
        cells=counts,
    )


def grades_by_pool(bank: Bank) -> dict[str, int]:
    """Return the number of grades of each pool."""
    counts = {MODELS: 0, PEOPLE: 0}
    kinds = counting(bank).order_by().values_list("rater__kind").annotate(n=Count("pk"))
    for kind, n in kinds:
        counts[MODELS if kind == Rater.Kind.MODEL else PEOPLE] += n
    return counts


def larger_pool(counts: Mapping[str, int]) -> str:
    """Return the pool with more grades; of as many, people."""
    return MODELS if counts[MODELS] > counts[PEOPLE] else PEOPLE


def cells_fingerprint(bank: Bank) -> tuple[int | datetime | None, ...]:
    """Return numbers that change with the cells, answers and rankings of a bank."""
    judged = (
        counting(bank).order_by().aggregate(n=Count("pk"), sum=Sum("pk"), at=Max("answered_at"))
    )
    cited = _citation_votes(bank).aggregate(n=Count("pk"), sum=Sum("pk"), at=Max("answered_at"))
    corpus = {"topic__corpus": bank.corpus_id}
    words = Count("pk", filter=Q(is_empty=False))
    texts = Response.objects.filter(**corpus).order_by().aggregate(n=words, last=Max("pk"))
    ranks = Ranking.objects.filter(**corpus).order_by().aggregate(n=Count("pk"), last=Max("pk"))
    return tuple(v for part in (judged, cited, texts, ranks) for v in part.values())


def is_open(bank: Bank) -> bool:
    """Return whether a study whose grades or citations a board reads may get more work."""
    here = Batch.objects.running().filter(
        study__purpose=Study.Purpose.STUDY, study__corpus=bank.corpus_id
    )
    of_study = {"study": OuterRef("study")}
    asks = Exists(Instrument.objects.filter(bank=bank, **of_study))
    cites = Exists(Item.objects.filter(kind=CITED, **of_study))
    return here.filter(asks | cites).exists()


def orders_of(bank: Bank) -> dict[str, dict[str, float]]:
    """Return each official order of the corpus as system -> score; higher is better."""
    return {matched.order.name: dict(matched.scores) for matched in matched_orders(bank.corpus)}


def _grades(cells: Collection[Cell], scales: BankScales) -> pd.DataFrame:
    """Return one grade per passage and entry."""
    topics = dict(Topic.objects.filter(pk__in={c.topic for c in cells}).values_list("pk", "key"))
    passages = _passage_keys(topics)
    rows = [
        (
            topics[c.topic],
            passages[c.passage],
            c.entry,
            scales.grade_of(c),
        )
        for c in cells
        if c.passage in passages
    ]
    frame = pd.DataFrame(rows, columns=["topic", "passage", "entry", "grade"])
    if not rows:
        return frame.astype({"grade": int})
    means = frame.groupby(["topic", "passage", "entry"])["grade"].mean()
    whole = ((means.round(9) + 0.5) // 1).astype(int)
    return whole.reset_index()


def _passage_keys(topics: Collection[int]) -> dict[int | None, str]:
    return dict(Passage.objects.filter(topic__in=topics).values_list("pk", "key"))


def _responses(topics: Collection[int]) -> dict[int | None, tuple[str, str]]:
    """Return the system and topic of each non-empty answer."""
    rows = Response.objects.filter(topic__in=topics, system__isnull=False, is_empty=False)
    columns = rows.order_by().values_list("pk", "system__key", "topic__key")
    return {pk: (system, topic) for pk, system, topic in columns}


def _rankings(topics: Collection[int]) -> pd.DataFrame:
    rows = Ranking.objects.filter(topic__in=topics).order_by("system", "topic", "rank")
    columns = ["system", "topic", "passage", "rank"]
    values = rows.values_list("system__key", "topic__key", "passage__key", "rank")
    return pd.DataFrame(list(values), columns=columns)


def _citation_votes(bank: Bank) -> "QuerySet[Judgment]":
    """Return judgments of statements with citations from all studies of the corpus."""
    of_corpus = {"item__kind": CITED, "item__study__corpus": bank.corpus_id}
    return counted(Judgment.objects.filter(**of_corpus)).order_by()


def _statements(
    bank: Bank, kinds: Collection[str], responses: dict[int | None, tuple[str, str]]
) -> pd.DataFrame:
    """Return all statements of answers that have a judged statement."""
    judged = defaultdict[int, list[float]](list)
    votes = _citation_votes(bank).filter(rater__kind__in=kinds, score__isnull=False)
    columns = ("item", "score", "question__scale__spec")
    segments = dict(
        ItemSlot.objects.filter(item__in=votes.values("item"), segment__isnull=False)
        .order_by()
        .values_list("item", "segment")
    )
    for item, score, spec in votes.values_list(*columns):
        low, high = ends_of(spec) or (0.0, 1.0)
        if item in segments and high > low:
            judged[segments[item]].append((score - low) / (high - low))
    rows = list(_cited(judged, responses)) if judged else []
    return pd.DataFrame(rows, columns=["system", "topic", "statement", "cited", "support"])


def _cited(
    judged: dict[int, list[float]], responses: dict[int | None, tuple[str, str]]
) -> Iterator[tuple[str, str, int, bool, float]]:
    """Yield the statements of the answers with the number of their citations."""
    rows = Segment.objects.filter(kind=Segment.Kind.STATEMENT, response__in=list(responses))
    counted = rows.order_by("pk").annotate(citations=Count("cited"))
    for pk, response, citations in counted.values_list("pk", "response", "citations"):
        values = judged.get(pk, [])
        support = sum(values) / len(values) if values else float("nan")
        yield (*responses[response], pk, citations > 0, support)
