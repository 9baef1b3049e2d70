"""The one door from the records to data frames: long, with fixed columns.

Everything an analysis reads comes through here, so that withdrawn, rejected and unfinished work
is left out in one place, and every preference is canonical: a label names a slot of the item,
whatever side its text was shown on.

Columns of `votes` (one row a judgment):

| column | meaning |
|---|---|
| item | key of the item; for a pair "<response a>|<response b>", with "/<slot>" if asked of each |
| a, b | keys of the responses in the slots a and b; None for other kinds |
| topic | key of the topic |
| worker | pseudonym of the rater |
| question | key of the question |
| value | canonical label: a slot name, or the code of the option |
| score | number of the answer, NaN if it has none |
| shown | slot names from left to right; empty where nobody knows |
| assignment | id; ascending in the order of claiming; NaN for an imported label |
| task | id of the questionnaire; NaN for an imported label |
| position | of the item in the worker's own order, from 1; NaN for an imported label |
| counted | among the first `votes_per_item` votes of its item |
"""

import hashlib

import numpy as np
import pandas as pd
from django.db.models import QuerySet

from analysis.inputs.pools import Pool
from analysis.runs.frozen import Frozen
from annotation.models import Batch, Corpus, Study
from judging.items.kinds import item_kind
from judging.models import Item, ItemSlot, Judgment, Presentation, Question

VOTES = (
    "item", "a", "b", "topic", "worker", "question", "value", "score", "shown", "assignment",
    "task", "position", "counted",
)  # fmt: skip
ABSENT = ("abstain",)  # roles of answers that are no answer


def votes(
    *,
    study: Study,
    question: Question,
    batch: Batch | None = None,
    votes_per_item: int | None = None,
    frozen: Frozen | None = None,
    pool: Pool | None = None,
) -> pd.DataFrame:
    """The votes of a pool on one question, sorted by item and assignment; columns as above.

    Those of `frozen` work, whatever became of it, or else of work that counts now; of people,
    unless another pool is asked for.
    """
    frame = pd.DataFrame.from_records(
        _judgments(study, question, batch, frozen, pool or Pool()).values_list(
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
    frame = frame.merge(items(study=study), on="item_id", how="left")
    if question.arity == Question.Arity.SLOT and _judges_several(question):
        # Two answers of one worker on two texts are no two votes on one thing.
        frame["item"] = frame["item"] + "/" + frame["slot"]
    positions = _positions(study, question.pk)
    frame = frame.merge(positions, on=["assignment", "item_id"], how="left").sort_values(
        ["item", "assignment", "worker"], kind="stable", ignore_index=True
    )
    frame["question"] = question.key
    frame["value"] = _labels(frame, question)
    frame["score"] = frame["score"].astype(float)
    order = frame.groupby("item", sort=False).cumcount()
    frame["counted"] = order < votes_per_item if votes_per_item else True
    return frame[list(VOTES)]


def _judgments(
    study: Study, question: Question, batch: Batch | None, frozen: Frozen | None, pool: Pool
) -> "QuerySet[Judgment]":
    rows = pool.judgments(study=study, batch=batch, frozen=frozen).filter(question=question)
    absent = [
        option["code"]
        for option in question.scale.spec.get("options", [])
        if option["role"] in ABSENT
    ]
    return rows.exclude(raw__in=absent)


def _judges_several(question: Question) -> bool:
    """Whether its items have several slots that are judged one by one."""
    kind = item_kind(question.instrument.item_kind)
    return kind.repeats or sum(slot.judged for slot in kind.slots) > 1


def _positions(study: Study, question: int) -> pd.DataFrame:
    """Where each worker was asked about each item: assignment, item_id, position."""
    return pd.DataFrame.from_records(
        Presentation.objects.filter(
            assignment__study=study, instrument__questions=question
        ).values_list("assignment_id", "item_id", "position"),
        columns=["assignment", "item_id", "position"],
    )


def items(*, study: Study) -> pd.DataFrame:
    """One row an item: item_id, item (key), topic (key), a, b (response keys)."""
    frame = pd.DataFrame.from_records(
        Item.objects.filter(study=study).values_list("id", "key", "topic__key"),
        columns=["item_id", "item", "topic"],
    )
    slots = ItemSlot.objects.filter(item__study=study, name__in=["a", "b"])
    for name in ("a", "b"):
        keys = dict(slots.filter(name=name).values_list("item_id", "response__key"))
        frame[name] = frame["item_id"].map(keys).astype(object).where(lambda x: x.notna(), None)
    return frame


def responses(*, corpus: Corpus) -> pd.DataFrame:
    """One row a response: response (key), topic (key), style, origin, system (key or None)."""
    return pd.DataFrame.from_records(
        corpus.responses.order_by("pk").values_list(
            "key", "topic__key", "style", "origin", "system__key"
        ),
        columns=["response", "topic", "style", "origin", "system"],
    )


def _labels(frame: pd.DataFrame, question: Question) -> "pd.Series[str]":
    """Canonical labels. An answer that chose a text becomes the slot that the text is in."""
    codes = {
        option["code"]
        for option in question.scale.spec.get("options", [])
        if option["role"] == "slot"
    }
    chose = frame["raw"].isin(codes)
    labels = np.where(chose & (frame["value"] == frame["a"]), "a", frame["value"])
    labels = np.where(chose & (frame["value"] == frame["b"]), "b", labels)
    return pd.Series(labels, index=frame.index, dtype=object)


def options_of(question: Question) -> tuple[str, ...]:
    """The labels of a question in the order of its scale, without those that are no answer."""
    return tuple(
        option["slot"] if option["role"] == "slot" else option["code"]
        for option in question.scale.spec.get("options", [])
        if option["role"] not in ABSENT
    )


def digest(frame: pd.DataFrame) -> str:
    """SHA-256 (hex) of a frame's rows, the same for the same data on every machine."""
    columns = ["item", "worker", "value", "shown", "assignment", "task", "position", "counted"]
    return digest_of(frame[columns])


def digest_of(frame: pd.DataFrame) -> str:
    """The same for all columns of any frame."""
    hashes = pd.util.hash_pandas_object(frame.astype(str), index=False)
    return hashlib.sha256(np.sort(hashes.to_numpy()).tobytes()).hexdigest()
