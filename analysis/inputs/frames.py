"""Records as data frames: long, with fixed columns.

All analyses read these frames, so that withdrawn, rejected and unfinished work is left out in one
place, and every preference is canonical: a label names a slot of the item, whatever side its text
was shown on.

Columns of `votes` (one row a judgment):

| column | meaning |
|---|---|
| item | key of the item; for a pair "<response a>|<response b>", with "/<slot>" if asked of each |
| a, b | keys of the content of the slots a and b; None for kinds without them |
| topic | key of the topic |
| worker | pseudonym of the rater |
| question | key of the measure (inputs.measures): that of the question where it is unique |
| value | canonical label: a slot name, or the code of the option |
| score | number of the answer, NaN if it has none |
| shown | slot names from left to right; empty where they are unknown |
| assignment | id; ascending in the order of claiming; NaN for an imported label |
| task | id of the questionnaire; NaN for an imported label |
| position | of the item in the worker's own order, from 1; NaN for an imported label |
| counted | among the first `votes_per_item` votes of its item |

Each other slot of the kind has a column with the key of its content: c and d of a block, passage
and criterion of a nugget, d1, d2, ... of documents.
"""

import hashlib
from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd
from django.db.models import QuerySet
from django.db.models.functions import Concat

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.judged_items import SEGMENT_KEY
from analysis.inputs.measures import Measure
from annotation.models import Batch, Corpus, Study
from judging.items.kinds import Holds, ItemKind, item_kind
from judging.models import Item, ItemSlot, Judgment, Presentation
from judging.raters.pools import Pool

VOTES = (
    "item", "a", "b", "topic", "worker", "question", "value", "score", "shown", "assignment",
    "task", "position", "counted",
)  # fmt: skip
CONTENT: dict[Holds, str | Concat] = {
    Holds.RESPONSE: "response__key",
    Holds.PASSAGE: "passage__key",
    Holds.SEGMENT: SEGMENT_KEY,
    Holds.CRITERION: "criterion__key",
}


Layout = tuple[tuple[str, ...], pd.DataFrame, pd.DataFrame]  # slots, items, their positions


def votes(
    *,
    study: Study,
    measure: Measure,
    batch: Batch | None = None,
    votes_per_item: int | None = None,
    frozen: FrozenWork | None = None,
    absent: bool = False,
    layouts: dict[str, Layout] | None = None,
) -> pd.DataFrame:
    """Return the votes of one measure, sorted by item and assignment; columns as above.

    These are votes of `frozen` work, whatever its state is now, or else of work that counts now.
    With `absent` they are the answers “don't know” instead. Whoever reads several measures passes
    `layouts`, at first empty: measures of one instrument share theirs.
    """
    frame = pd.DataFrame.from_records(
        _judgments(study, measure, batch, frozen, absent).values_list(
            "item_id",
            "rater__pseudonym",
            "raw",
            "value",
            "score",
            "shown",
            "assignment_id",
            "assignment__task_id",
            "slot",
        ),
        columns=[
            "item_id", "worker", "raw", "value", "score", "shown", "assignment", "task", "slot",
        ],
    )  # fmt: skip
    if frame["assignment"].isna().any():
        frame = frame.astype({"assignment": float, "task": float})
    kind = item_kind(measure.kind)
    slots, items, positions = _layout(study, measure, {} if layouts is None else layouts)
    # Items of another kind have judgments of their own: they are no votes of this measure.
    frame = frame.merge(items, on="item_id", how="inner")
    if measure.per_slot and len(kind.judged(slots)) > 1:
        # Two answers of one worker on two texts are no two votes on one thing.
        frame["item"] = frame["item"] + "/" + frame["slot"]
    frame = frame.merge(positions, on=["assignment", "item_id"], how="left").sort_values(
        ["item", "assignment", "worker"], kind="stable", ignore_index=True
    )
    frame["question"] = measure.key
    frame["value"] = _labels(frame, measure, slots)
    frame["score"] = frame["score"].astype(float)
    order = frame.groupby("item", sort=False).cumcount()
    frame["counted"] = order < votes_per_item if votes_per_item else True
    return frame[[*VOTES, *(name for name in slots if name not in VOTES)]]


def _layout(study: Study, measure: Measure, layouts: dict[str, Layout]) -> Layout:
    if measure.instrument not in layouts:
        kind = item_kind(measure.kind)
        slots = _slots(study, kind)
        positions = _positions(study, measure.question)
        layouts[measure.instrument] = (slots, _items(study, kind, slots), positions)
    return layouts[measure.instrument]


def _judgments(
    study: Study, measure: Measure, batch: Batch | None, frozen: FrozenWork | None, absent: bool
) -> "QuerySet[Judgment]":
    rows = Pool(measure.pool).judgments(study=study, batch=batch, frozen=frozen)
    rows = rows.filter(question=measure.question)
    if absent:
        return rows.filter(raw__in=measure.absent)
    return rows.exclude(raw__in=measure.absent)


def _positions(study: Study, question: int) -> pd.DataFrame:
    """Return the position of each item in its worker's order: assignment, item_id, position."""
    return pd.DataFrame.from_records(
        Presentation.objects.filter(
            assignment__study=study, instrument__questions=question
        ).values_list("assignment_id", "item_id", "position"),
        columns=["assignment", "item_id", "position"],
    )


def _slots(study: Study, kind: ItemKind) -> tuple[str, ...]:
    """Return the names of the slots of all items of this kind, in nominal order."""
    names = {slot.name for slot in kind.slots if not slot.repeated}
    if kind.repeats:
        stored = ItemSlot.objects.filter(item__study=study, item__kind=kind.name).order_by()
        names |= set(stored.values_list("name", flat=True).distinct())
    return kind.in_order(names)


def items_of(
    *, study: Study, kind: ItemKind, topics: Collection[str] | None = None
) -> pd.DataFrame:
    """Return one row for each item: item_id, item (key), topic (key), and the key in each slot.

    `topics` (keys) limits the items.
    """
    return _items(study, kind, _slots(study, kind), topics)


def _items(
    study: Study, kind: ItemKind, slots: Sequence[str], topics: Collection[str] | None = None
) -> pd.DataFrame:
    items = Item.objects.filter(study=study, kind=kind.name)
    stored = ItemSlot.objects.filter(item__study=study, item__kind=kind.name).order_by()
    if topics is not None:
        items = items.filter(topic__key__in=topics)
        stored = stored.filter(item__topic__key__in=topics)
    frame = pd.DataFrame.from_records(
        items.values_list("id", "key", "topic__key"), columns=["item_id", "item", "topic"]
    )
    frame["a"] = frame["b"] = None
    for name in slots:
        slot = kind.slot(name)
        assert slot is not None  # `slots` are those of the kind
        keys = dict(stored.filter(name=name).values_list("item_id", CONTENT[slot.holds]))
        frame[name] = frame["item_id"].map(keys).astype(object).where(lambda x: x.notna(), None)
    return frame


def responses(*, corpus: Corpus) -> pd.DataFrame:
    """Return one row for each response: response, topic (keys), style, origin, system (key)."""
    return pd.DataFrame.from_records(
        corpus.responses.order_by("pk").values_list(
            "key", "topic__key", "style", "origin", "system__key"
        ),
        columns=["response", "topic", "style", "origin", "system"],
    )


def _labels(frame: pd.DataFrame, measure: Measure, slots: Sequence[str]) -> "pd.Series[str]":
    """Return canonical labels: the slot of the chosen text, or the code of the option."""
    chose, labels = frame["raw"].isin(measure.choosing), frame["value"]
    for name in slots:
        labels = labels.mask(chose & (frame["value"] == frame[name]), name)
    return labels.astype(object)


def digest(frame: pd.DataFrame) -> str:
    """Return the SHA-256 (hex) of a frame's rows, the same for the same data on every machine."""
    columns = ["item", "worker", "value", "shown", "assignment", "task", "position", "counted"]
    return digest_of(frame[columns])


def digest_of(frame: pd.DataFrame) -> str:
    """Return the SHA-256 (hex) of all columns of any frame."""
    hashes = pd.util.hash_pandas_object(frame.astype(str), index=False)
    return hashlib.sha256(np.sort(hashes.to_numpy()).tobytes()).hexdigest()
