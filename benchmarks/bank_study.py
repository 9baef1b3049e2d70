"""A graded bank of the size of TREC DL 2020, with simulated grades, written in bulk."""

import gzip
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.million_study import copy_rows

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SYSTEMS, DEPTH = 59, 100  # ranked passages per system and topic
EDITED = 12  # entries
BY_PEOPLE = 0.1  # share of cells that a person grades as well


@dataclass(frozen=True)
class BankSize:
    """Topics, entries per topic, and passages in all topics."""

    topics: int
    entries: int
    passages: int


def build(slug: str, size: BankSize) -> Any:
    """Return a bank in which a model graded all cells, and a person a part of them."""
    from django.db import connection, transaction

    from annotation.models import Corpus

    rng = np.random.default_rng(1)
    with transaction.atomic():
        corpus = Corpus.objects.create(slug=slug, name=slug)
        passages = _passages(corpus, size)
        _judgments(corpus, passages, rng)
        bank = _bank(corpus, size)
        _rankings(corpus, passages, rng)
        _grades(bank, passages, rng)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    _edit(bank)
    return bank


def _passages(corpus: Any, size: BankSize) -> pd.DataFrame:
    """Return topic, passage and key of each passage, with a quality from 0 to 1."""
    from annotation.models import Passage, Topic

    topics = Topic.objects.bulk_create(
        Topic(corpus=corpus, key=f"t{n:03}", query=f"what is known about subject {n}?")
        for n in range(size.topics)
    )
    made = Passage.objects.bulk_create(
        (
            Passage(
                topic=topics[n % size.topics],
                key=f"p{n:06}",
                rank=n // size.topics + 1,
                text=f"Passage {n}: " + "a sentence of some words about the subject. " * 8,
            )
            for n in range(size.passages)
        ),
        batch_size=2000,
    )
    rows = [(row.topic_id, row.pk, row.key, row.topic.key) for row in made]
    return pd.DataFrame(rows, columns=["topic_id", "passage_id", "key", "topic"])


def _judgments(corpus: Any, passages: pd.DataFrame, rng: np.random.Generator) -> None:
    """Judge each passage from 0 to 3, as labels of a file of the corpus."""
    passages["quality"] = rng.beta(1.2, 3, len(passages))
    grades = np.digitize(passages["quality"], [0.3, 0.5, 0.7])
    lines = [
        json.dumps({"topic": topic, "passage": key, "value": int(grade), "rater": "nist"})
        for topic, key, grade in zip(passages["topic"], passages["key"], grades, strict=True)
    ]
    content = gzip.compress("\n".join(lines).encode())
    corpus.labels.create(name="qrels", count=len(lines), raters=1, content=content)


def _bank(corpus: Any, size: BankSize) -> Any:
    from judging.banks import adding
    from judging.banks.adding import NewEntry

    how: dict[str, Any] = {"by": None, "now": NOW}
    bank = adding.make(corpus=corpus, name="exam", kind="questions", **how)
    entries = [
        NewEntry(topic, f"What does source {n} say about subject {topic.key}?", importance=kind)
        for topic in corpus.topics.order_by("pk")
        for n in range(size.entries)
        for kind in [("vital", "okay")[n % 2]]
    ]
    adding.add_all(bank=bank, entries=entries, state="confirmed", **how)
    return bank


def _rankings(corpus: Any, passages: pd.DataFrame, rng: np.random.Generator) -> None:
    """Rank passages by each system; the better a system, the nearer to the qualities."""
    from annotation.models import Ranking, System

    systems = System.objects.bulk_create(
        System(corpus=corpus, key=f"s{n:02}", name=f"System {n}") for n in range(SYSTEMS)
    )
    frames = []
    for n, system in enumerate(systems):
        score = passages["quality"] + rng.normal(0, 0.1 + n / SYSTEMS / 2, len(passages))
        ranked = passages.assign(score=score).sort_values(["topic_id", "score"], ascending=False)
        ranked = ranked.assign(rank=ranked.groupby("topic_id").cumcount() + 1, system_id=system.pk)
        frames.append(ranked.loc[ranked["rank"] <= DEPTH])
    columns = ["system_id", "topic_id", "passage_id", "rank"]
    copy_rows(Ranking, pd.concat(frames)[columns])


def _grades(bank: Any, passages: pd.DataFrame, rng: np.random.Generator) -> None:
    """Grade each passage on each entry of its topic: by a model all, by a person some."""
    from judging.banks.studies import method_of
    from judging.design.designing import create_study, write_items
    from judging.designers.questionnaires import PlannedItem
    from judging.models import Criterion, ItemSlot, Judgment
    from judging.raters.registering import register

    study = create_study(
        slug=bank.corpus.slug, title="Graded", corpus=bank.corpus,
        instruments=[method_of(bank)], seed=1, contact="nobody: a benchmark",
    )  # fmt: skip
    entries = Criterion.objects.filter(instrument__study=study, topic__isnull=False)
    by_topic = pd.DataFrame(
        list(entries.values_list("topic", "pk")), columns=["topic_id", "criterion_id"]
    )
    cells = passages.merge(by_topic, on="topic_id")
    write_items(
        study=study,
        kind="passage_criterion",
        planned=[
            PlannedItem((entry, passage), topic, 70, (passage, entry))
            for passage, entry, topic in cells[
                ["passage_id", "criterion_id", "topic_id"]
            ].itertuples(index=False)
        ],
    )
    slots = ItemSlot.objects.filter(item__study=study).order_by()
    items = pd.DataFrame(
        list(slots.values_list("item", "passage", "criterion")), columns=["item_id", "p", "c"]
    )
    placed = items.groupby("item_id")[["p", "c"]].max().reset_index().astype(int)
    cells = cells.merge(placed, left_on=["passage_id", "criterion_id"], right_on=["p", "c"])
    ease = dict(zip(by_topic["criterion_id"], rng.uniform(0.2, 1.8, len(by_topic)), strict=True))
    value = 5 * np.clip(cells["quality"] * 1.4 * cells["criterion_id"].map(ease), 0, 1)
    (question,) = study.questions.filter(key="answered")
    model = register(name="judge", kind="model", team=study.team, model="m")
    person = register(name="Ann", kind="expert", team=study.team)
    some = rng.random(len(cells)) < BY_PEOPLE
    for rater, of, noise in ((model, np.ones(len(cells), dtype=bool), 0.5), (person, some, 1.0)):
        grades = np.clip(np.rint(value[of] + rng.normal(0, noise, of.sum())), 0, 5).astype(int)
        rows = {
            "rater_id": rater.pk, "item_id": cells.loc[of, "item_id"], "question_id": question.pk,
            "slot": "", "shown": "", "raw": grades, "value": grades, "score": grades,
            "comment": "", "changes": 0,
            "first_at": NOW.isoformat(), "answered_at": NOW.isoformat(),
        }  # fmt: skip
        copy_rows(Judgment, pd.DataFrame(rows))


def _edit(bank: Any) -> None:
    """Reword entries, so that the bank has a revision to compare with and cells to ask."""
    from judging.banks import deciding
    from judging.banks.entries_at import entries_at

    bank.refresh_from_db()
    for row in entries_at(bank)[:: max(1, bank.entries.count() // EDITED)][:EDITED]:
        deciding.edit(
            bank=bank, entry=row.pk, shown=row.revision, text=f"{row.text} Why?", by=None, now=NOW
        )
    bank.refresh_from_db()
