"""Importing the language model that judged the Crowd RAG Corpus 2025, as raters."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from django.db import transaction

from annotation.corpora.crowdrag import BadCorpus, rows
from annotation.corpora.crowdrag_importing import CrowdragReport
from annotation.models import Study
from annotation.texts.plurals import counted
from judging.crowdrag.rows import DIMENSIONS, INFERENCES, LLM_RATINGS, LlmRow
from judging.labels.files import LabelLine
from judging.labels.importing import LabelsRefused, import_lines
from judging.labels.saving import LabelReport
from judging.models import ItemSlot, Rater
from judging.raters.registering import register

MODEL = "Crowd RAG Corpus 2025: the paper's language model"
RATED = datetime(2024, 12, 1, tzinfo=UTC)  # the file says no time: after people had judged
Key = tuple[str, str, str]  # topic, first, second
Why = tuple[str, str]  # why one is left out, and why many are
NOT_JUDGED = (
    "pair that the model rated was not judged by people",
    "pairs that the model rated were not judged by people",
)
MISSING = "label of the model is missing", "labels of the model are missing"


@transaction.atomic
def import_model_raters(*, study: Study, folder: Path) -> CrowdragReport:
    """Import a rater for each way of asking, with the shown order. Safe to repeat.

    The first of two ratings of a pair in one order counts. Pairs and answers that people did not
    have are left out and counted. Raises BadCorpus.
    """
    report = CrowdragReport()
    path = folder / LLM_RATINGS
    if not path.is_file():
        return report
    numbered_rows = list(enumerate(map(msgspec.structs.asdict, rows(path, LlmRow)), start=1))
    for inference in INFERENCES:
        rows_by_rater: dict[Key, tuple[int, dict[str, Any]]] = {}
        for number, row in numbered_rows:
            key = row["query_id"], row["response_a"], row["response_b"]
            if row["inference"] == inference:
                rows_by_rater.setdefault(key, (number, row))
        if rows_by_rater:
            _rate(study, inference, rows_by_rater, report)
    return report


def _rate(
    study: Study, how: str, own: dict[Key, tuple[int, dict[str, Any]]], report: CrowdragReport
) -> None:
    left: Counter[Why] = Counter()
    lines = list(_lines(own, _pairs(study), _allowed(study), left))
    labels = LabelReport(LLM_RATINGS)
    try:
        import_lines(study=study, lines=lines, rater=_rater(study, how), now=RATED, report=labels)
    except LabelsRefused as refusal:
        raise BadCorpus("bad_labels", "; ".join(map(str, labels.bad_lines[:3]))) from refusal
    report.added[f"labels of the model ({how})"] += labels.added + labels.changed
    report.unchanged[f"labels of the model ({how})"] += labels.unchanged
    report.notes += [f"{counted(n, *why)} ({how}): left out" for why, n in left.items()]


def _lines(
    own: dict[Key, tuple[int, dict[str, Any]]],
    pairs: set[Key],
    allowed: dict[str, set[str]],
    left: Counter[Why],
) -> Iterator[LabelLine]:
    """Yield labels on the item that people judged, in the order that the model was shown.

    If people judged a pair in both directions, each is an item with its own row.
    """
    for (topic, a, b), (number, row) in own.items():
        straight = (topic, a, b) in pairs
        if not straight and (topic, b, a) not in pairs:
            left[NOT_JUDGED] += 1
            continue
        for question in DIMENSIONS.values():
            value = (row[question] or "").lower()
            if not value:
                left[MISSING] += 1
            elif value not in allowed[question]:
                left[
                    f"label of the model answers {question} as people could not",
                    f"labels of the model answer {question} as people could not",
                ] += 1
            else:
                yield LabelLine(
                    number=number,
                    topic=topic,
                    contents={"a": a, "b": b},
                    question=question,
                    value=value,
                    shown="a,b",
                )


def _rater(study: Study, how: str) -> Rater:
    return register(
        team=study.team,
        name=f"crowdrag25-model-{how}",
        kind=Rater.Kind.MODEL,
        model=MODEL,
        prompt_version=how,
    )


def _pairs(study: Study) -> set[Key]:
    """Return the pairs in the order shown to people."""
    slots = ItemSlot.objects.filter(item__study=study).order_by("item", "position")
    shown_pairs: dict[int, list[str]] = {}
    for item, topic, response in slots.values_list("item", "item__topic__key", "response__key"):
        shown_pairs.setdefault(item, [topic]).append(response)
    return {(topic, first, second) for topic, first, second in shown_pairs.values()}


def _allowed(study: Study) -> dict[str, set[str]]:
    """Return the codes of each question."""
    return {
        question.key: {option["code"] for option in question.scale.spec["options"]}
        for question in study.questions.select_related("scale")
    }
