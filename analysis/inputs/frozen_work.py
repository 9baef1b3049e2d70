"""The work that a run reads, fixed by ids when the run is started.

Work that is submitted, decided on or imported meanwhile belongs to the next run. Submitted answers
do not change; a withdrawal erases them, and a run that counts them is overtaken
(analysis.runs.renewing). No clock is compared, because clocks jump.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Self

from django.db.models import Max, QuerySet

from annotation.models import Assignment, Batch, Response, Study
from judging.authors.files import written_texts
from judging.models import AuthorRound, Item, Judgment, MachineJudge
from writing.models import WritingTask


def written_by_models(study: Study, batch: Batch | None = None) -> "QuerySet[Response]":
    """Return the texts of a study's LLM authors, or those about the topics of a batch."""
    texts = written_texts(study)
    if batch is None:
        return texts
    tasks = WritingTask.objects.filter(task__batch=batch)
    return texts.filter(topic__in=tasks.values("topic"))


def costing(study: Study, batch: Batch | None) -> "QuerySet[Any]":
    """Return the work that counts, and the work that is paid whatever became of it."""
    rows = Assignment.objects.filter(study=study).paid()
    if batch is not None:
        rows = rows.filter(task__batch=batch)
    return rows.order_by("pk")


@dataclass(frozen=True)
class FrozenWork:
    """Ids of assignments: those whose answers count, the accepted ones, and others that are paid.

    `closed` are the closed batches; `standing` is a digest of all this and of the time of each
    submission, so that redone work differs from the earlier work. `labels` is the highest id of an
    imported label, 0 where there is none. `items` is the highest id of an item, and `judges` are
    the LLM judges whose calls were complete; both are None in older runs. `is_open` is whether a
    batch of what is read was open or paused, so that more work may come. `texts` are ids of
    responses by LLM authors that were not running.
    """

    counting: list[int]
    accepted: list[int]
    paid: list[int]
    closed: list[int]
    standing: str
    labels: int = 0
    items: int | None = None
    judges: list[int] | None = None
    is_open: bool = False
    texts: list[int] = field(default_factory=list)

    @classmethod
    def now(cls, study: Study, batch: Batch | None = None) -> Self:
        """Return the work of this moment, read in one query.

        Whether it is open is read before: a batch that closes meanwhile still counts as open.
        """
        batches = study.batches.filter(pk=batch.pk) if batch else study.batches.all()
        is_open = batches.running().exists()
        rows = list(costing(study, batch).values_list("pk", "state", "submitted_at"))
        closed = study.batches.filter(state=Batch.State.CLOSED)
        shown: list[Any] = [[pk, state, at and at.isoformat()] for pk, state, at in rows]
        if texts := _texts_of_models(study, batch):
            shown.append(texts)
        return cls(
            counting=_of(rows, *Assignment.COUNTING),
            accepted=_of(rows, Assignment.State.ACCEPTED),
            paid=_of(rows, *(set(Assignment.State) - set(Assignment.COUNTING))),
            closed=sorted(closed.values_list("pk", flat=True)),
            standing=hashlib.sha256(json.dumps(shown).encode()).hexdigest(),
            labels=_last_label(study),
            items=Item.every.filter(study=study).aggregate(last=Max("pk"))["last"] or 0,
            judges=_complete_judges(study),
            is_open=is_open,
            texts=texts,
        )

    @classmethod
    def of(cls, stored: dict[str, Any]) -> Self:
        """Return the work that a run has stored."""
        nothing: dict[str, Any] = {"counting": [], "accepted": [], "paid": [], "closed": []}
        return cls(**(nothing | {"standing": ""} | stored))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @cached_property
    def costing(self) -> list[int]:
        """The ids of all work whose pay a run reads, in order."""
        return sorted({*self.counting, *self.paid})


def _last_label(study: Study) -> int:
    labels = Judgment.objects.filter(assignment=None, item__study=study)
    return labels.aggregate(last=Max("pk"))["last"] or 0


def _texts_of_models(study: Study, batch: Batch | None) -> list[int]:
    if study.kind != Study.Kind.WRITING:
        return []
    texts = written_by_models(study, batch)
    texts = texts.exclude(author_call__round__state=AuthorRound.State.RUNNING)
    return sorted(texts.values_list("pk", flat=True))


def _complete_judges(study: Study) -> list[int]:
    unread = [MachineJudge.State.RUNNING, MachineJudge.State.WITHDRAWN]
    judges = MachineJudge.objects.filter(study=study).exclude(state__in=unread)
    return sorted(judges.values_list("pk", flat=True))


def _of(rows: Iterable[tuple[int, str, Any]], *states: str) -> list[int]:
    return [pk for pk, state, _ in rows if state in states]
