"""Data frames of a bank's cells over all its studies: answers, rankings, citations. Only reads.

Support of answers is scaled to 0 to 1. Grades of passages are converted to the scale that was used
for most passages, averaged over raters and rounded half up. The verdict on an extracted answer
counts instead of yes or no. Models are never pooled with people.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pandas as pd
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Sum

from analysis.stats.retrieval.leaderboards import grade_levels
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
from judging.raters.cells import cells_of, counted, counting

PEOPLE, MODELS = "people", "models"
POOLS = {PEOPLE: OF_PEOPLE, MODELS: (Rater.Kind.MODEL,)}
CITED = "statement_documents"


@dataclass(frozen=True, eq=False)
class TopicCells:
    """Cells of one pool of raters about one topic.

    answers: system, entry, value from 0 to 1. texts: systems with an answer, graded or not. grades:
    passage, entry, grade. rankings: passages of each system, the best first.
    """

    topic: str
    answers: pd.DataFrame
    texts: frozenset[str]
    grades: pd.DataFrame
    rankings: dict[str, list[str]]


def topic_cells(bank: Bank, pool: str, topics: Collection[int]) -> dict[int, TopicCells]:
    """Return the cells of a pool by topic."""
    cells = with_verdicts(bank, list(cells_of(bank, raters=POOLS[pool], topics=topics)))
    scales = BankScales.of(bank)
    responses = _responses(topics)
    answers, passages = defaultdict(list), defaultdict(list)
    for cell in cells:
        if cell.score is None:
            continue
        if cell.response in responses:
            system, _ = responses[cell.response]
            answers[cell.topic].append((system, cell.entry, scales.share_of(cell)))
        if cell.passage:
            passages[cell.topic].append((cell.passage, cell.entry, scales.grade_of(cell)))
    rankings = _rankings(topics)
    keys = dict(Passage.objects.filter(topic__in=topics).values_list("pk", "key"))
    texts = defaultdict[str, set[str]](set)
    for system, topic in responses.values():
        texts[topic].add(system)
    return {
        pk: TopicCells(
            key,
            pd.DataFrame(answers[pk], columns=["system", "entry", "value"], dtype=object),
            frozenset(texts[key]),
            _grades(passages[pk], keys),
            {
                system: [keys[passage] for passage in ranked]
                for system, ranked in rankings.get(pk, {}).items()
            },
        )
        for pk, key in Topic.objects.filter(pk__in=topics).values_list("pk", "key")
    }


def passage_grades(bank: Bank, pool: str = "") -> tuple[str, pd.DataFrame]:
    """Return a pool, by default the larger one, and its topic, passage, entry and grade."""
    chosen = pool or larger_pool(GradeState.of(bank).counts)
    topics = set(bank.entries.order_by().values_list("topic", flat=True))
    parts = topic_cells(bank, chosen, topics).values()
    frames = [part.grades.assign(topic=part.topic) for part in parts if len(part.grades)]
    columns = ["topic", "passage", "entry", "grade"]
    return chosen, pd.concat(frames)[columns] if frames else pd.DataFrame(columns=columns)


def statements_of(bank: Bank, pool: str) -> pd.DataFrame:
    """Return system, topic, statement, cited, support of the statements of judged answers."""
    topics = set(bank.entries.order_by().values_list("topic", flat=True))
    return _statements(bank, POOLS[pool], _responses(topics))


def grade_levels_of(bank: Bank) -> tuple[int, ...]:
    """Return the grades from which on a passage may be relevant."""
    return grade_levels(*BankScales.of(bank).common)


def larger_pool(counts: Mapping[str, int]) -> str:
    """Return the pool with more grades; of as many, people."""
    return MODELS if counts[MODELS] > counts[PEOPLE] else PEOPLE


@dataclass(frozen=True)
class GradeState:
    """Numbers that change with the grades of a bank, by topic, and the number of grades by pool."""

    by_topic: Mapping[int, tuple[Any, ...]]
    counts: dict[str, int]

    @classmethod
    def of(cls, bank: Bank) -> "GradeState":
        by_topic, counts = defaultdict[int, list[Any]](list), {MODELS: 0, PEOPLE: 0}
        columns = ("item__topic", "rater__kind")
        rows = counting(bank).order_by(*columns).values_list(*columns)
        numbers = {"n": Count("pk"), "sum": Sum("pk"), "at": Max("answered_at")}
        for topic, kind, n, *rest in rows.annotate(**numbers):
            by_topic[topic].append((kind, n, *rest))
            counts[MODELS if kind == Rater.Kind.MODEL else PEOPLE] += n
        return cls({topic: tuple(of) for topic, of in by_topic.items()}, counts)


def texts_fingerprint(bank: Bank) -> tuple[int | datetime | None, ...]:
    """Return numbers that change with the answers and rankings of a corpus and with citations."""
    cited = _citation_votes(bank).aggregate(n=Count("pk"), sum=Sum("pk"), at=Max("answered_at"))
    corpus = {"topic__corpus": bank.corpus_id}
    words = Count("pk", filter=Q(is_empty=False))
    texts = Response.objects.filter(**corpus).order_by().aggregate(n=words, last=Max("pk"))
    ranks = Ranking.objects.filter(**corpus).order_by().aggregate(n=Count("pk"), last=Max("pk"))
    return tuple(v for part in (cited, texts, ranks) for v in part.values())


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


def _grades(rows: list[tuple[int, str, float]], keys: Mapping[int, str]) -> pd.DataFrame:
    """Return one grade per passage and entry: passage, entry, grade."""
    frame = pd.DataFrame(rows, columns=["passage", "entry", "grade"])
    if not rows:
        return frame.astype({"grade": int})
    means = frame.groupby(["passage", "entry"])["grade"].mean()
    grades = ((means.round(9) + 0.5) // 1).astype(int).reset_index()
    return grades.assign(passage=grades["passage"].map(keys).astype(object))


def _responses(topics: Collection[int]) -> dict[int | None, tuple[str, str]]:
    """Return the system and topic of each non-empty answer."""
    rows = Response.objects.filter(topic__in=topics, system__isnull=False, is_empty=False)
    columns = rows.order_by().values_list("pk", "system__key", "topic__key")
    return {pk: (system, topic) for pk, system, topic in columns}


def _rankings(topics: Collection[int]) -> dict[int, dict[str, list[int]]]:
    """Return the ranked passages by topic and system, the best first."""
    rows = Ranking.objects.filter(topic__in=topics).order_by("topic", "system__key", "rank")
    rankings: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for topic, system, passage in rows.values_list("topic", "system__key", "passage").iterator():
        rankings[topic][system].append(passage)
    return rankings


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
