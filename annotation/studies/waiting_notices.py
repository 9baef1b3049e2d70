"""Open jobs of people in studies: a sentence and the step for each. Only reads."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from annotation import signals
from annotation.models import Assignment, Batch, HeldUp, Study
from annotation.models.access import Role
from annotation.people.access.roles import RIGHTS, Act
from annotation.studies.active_time import Earnings
from annotation.studies.progress import BatchProgress

QUIET = timedelta(days=1)  # an open batch with free places to which nobody comes is stalled


@dataclass(frozen=True)
class WaitingNotice:
    """Something that waits for a researcher, with its next step.

    `short` is for lists of studies; `act` is the permission that the step needs; `is_bad` will not
    resolve by itself; `code` is for programs.
    """

    sentence: str
    short: str
    step: str
    address: str
    act: Act
    is_bad: bool = False
    code: str = ""

    @property
    def whom(self) -> str:
        """Those for whom it waits: the role of least rights that can take the step."""
        able = [role for role in Role if self.act in RIGHTS[role]]
        return f"{able[-1].label.lower()}s"


def waiting_in(
    studies: Sequence[Study], batches: Mapping[int, Sequence[BatchProgress]], *, now: datetime
) -> dict[int, list[WaitingNotice]]:
    """Return what waits, by study, in a constant number of queries."""
    notices: dict[int, list[WaitingNotice]] = {study.pk: [] for study in studies}
    answers: list[tuple[Any, Any]] = signals.waiting.send(sender=Study, studies=studies)
    for _, answer in answers:
        for pk, waiting in answer.items():
            notices[pk].append(waiting)
    quiet, held = _quiet_since(batches, now), _held_up(studies)
    for study in studies:
        if people := held.get(study.pk):
            notices[study.pk].append(_of_held_up(study, people))
        study_batches = batches.get(study.pk, ())
        for batch in study_batches:
            notices[study.pk] += (
                _of_planned(study, batch.batch, study_batches)
                if batch.batch.state == Batch.State.DRAFT
                else _of_batch(study, batch, quiet.get(batch.batch.pk))
            )
    return notices


def underpaid(study: Study, earned: Earnings) -> Iterator[WaitingNotice]:
    """Return the notice that participants earn less than the target."""
    if earned.wage is not None and earned.wage < study.hourly_wage:
        yield WaitingNotice(
            gettext(
                "Participants earn {wage:.2f} {currency} an hour in active time, below the "
                "target of {hourly_wage:.2f}."
            ).format(wage=earned.wage, currency=study.currency, hourly_wage=study.hourly_wage),
            gettext("wage below target"),
            gettext("View batches"),
            recruit_address(study),
            Act.RUN,
            is_bad=True,
            code="underpaid",
        )


def recruit_address(study: Study) -> str:
    return reverse("recruit", args=[study.slug, study.version])


def _held_up(studies: Sequence[Study]) -> dict[int, int]:
    """Count the workers who cannot begin because of work under their ID."""
    rows = HeldUp.objects.waiting().filter(assignment__study__in=studies)
    return dict(rows.values_list("assignment__study").annotate(n=Count("pk")).order_by())


def _of_held_up(study: Study, people: int) -> WaitingNotice:
    return WaitingNotice(
        ngettext(
            "{people} participant can't start: ID already in use.",
            "{people} participants can't start: IDs already in use.",
            people,
        ).format(people=people),
        gettext("{people} blocked").format(people=people),
        gettext("Review blocked participants"),
        reverse("held_up", args=[study.slug, study.version]),
        Act.RUN,
        is_bad=True,
        code="held_up",
    )


def _quiet_since(
    batches: Mapping[int, Sequence[BatchProgress]], now: datetime
) -> dict[int, timedelta]:
    """Return the time since the last arrival in open batches with free places."""
    waiting = [
        row.batch
        for of_study in batches.values()
        for row in of_study
        if row.batch.state == Batch.State.OPEN and row.free and not row.working
    ]
    rows = Assignment.objects.filter(task__batch__in=waiting).order_by().values("task__batch")
    last = dict(rows.annotate(last=Max("arrived_at")).values_list("task__batch", "last"))
    since = {batch.pk: now - max(filter(None, (batch.opened_at, last.get(batch.pk))))
             for batch in waiting}  # fmt: skip
    return {pk: quiet for pk, quiet in since.items() if quiet >= QUIET}


def _of_planned(
    study: Study, batch: Batch, others: Sequence[BatchProgress]
) -> Iterator[WaitingNotice]:
    if any(other.batch.teaches for other in others):
        return
    taught = [e.batch for e in others if e.batch.state == Batch.State.CLOSED and e.done]
    if taught and not batch.onboarding:
        yield WaitingNotice(
            gettext("Batch {taught} is done. Review it, then open {name}.").format(
                taught=taught[-1].name, name=batch.name
            ),
            gettext("“{name}” ready to open").format(name=batch.name),
            gettext("Review and open batch"),
            recruit_address(study),
            Act.RUN,
            code="pilot_done",
        )
        return
    yield WaitingNotice(
        gettext("Batch {name} is ready to open.").format(name=batch.name),
        gettext("“{name}” ready to open").format(name=batch.name),
        gettext("Open batch"),
        recruit_address(study),
        Act.RUN,
        code="batch_ready",
    )


def _of_batch(study: Study, one: BatchProgress, quiet: timedelta | None) -> Iterator[WaitingNotice]:
    batch, address = one.batch, recruit_address(study)
    if batch.state == Batch.State.PAUSED:
        yield WaitingNotice(
            gettext("Batch {name} is paused.").format(name=batch.name),
            gettext("“{name}” is paused").format(name=batch.name),
            gettext("Continue"),
            address,
            Act.RUN,
            code="batch_paused",
        )
    elif batch.state == Batch.State.OPEN and one.places and one.done == one.places:
        yield WaitingNotice(
            gettext("Batch {name} is full. Close it to start the analysis.").format(
                name=batch.name
            ),
            gettext("“{name}” is full").format(name=batch.name),
            gettext("Close batch"),
            address,
            Act.RUN,
            code="batch_full",
        )
    elif quiet is not None:
        days = quiet.days
        duration = (
            gettext("for {days} days").format(days=days) if days > 1 else gettext("for a day")
        )
        yield WaitingNotice(
            gettext(
                "No one has joined batch {name} {said}. {free} of {places} places are free."
            ).format(name=batch.name, said=duration, free=one.free, places=one.places),
            gettext("no new participants in “{name}”").format(name=batch.name),
            gettext("Check recruitment"),
            address,
            Act.RUN,
            is_bad=True,
            code="batch_quiet",
        )
