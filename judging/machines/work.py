"""What calls are sent for. Who asks differs: how calls are made, what they show, how answers are
read and what becomes of them. How they go out and come back (`sending`) is the same for all."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from django.db.models import QuerySet
from django.utils import timezone

from judging.machines import preparing, taking
from judging.machines.answers import Outcome, Reader
from judging.machines.protocols import End
from judging.models import MachineCall, MachineJudge, QueryCall, QueryRound
from judging.models.calls import Asker, Call
from judging.queries import preparing as queries_preparing
from judging.queries import taking as queries_taking
from judging.queries.answers import QueryReader


class Reading(Protocol):
    """Reads what came back for calls. What they show is looked up once a batch."""

    def look_up(self, calls: Iterable[Any]) -> None: ...

    def read(self, call: Any, text: str, *, end: End = End.DONE) -> Outcome: ...

    def forget(self, call: Any) -> None: ...


@dataclass(frozen=True)
class Work:
    """`missing` counts what has no calls yet and `prepare` makes them; `take` records what was
    answered. `team`: the way from a call to the people who share answers. `there`: what holds of
    those whose study or corpus was not deleted."""

    askers: type[Asker]
    calls: type[Call]
    of_asker: tuple[str, ...]  # looked up with whoever asks
    shows: str  # looked up with a call
    team: str
    missing: Callable[[Any], int]
    prepare: Callable[[Any, Callable[[], bool]], int]
    reader: Callable[[Any], Reading]
    take: Callable[[Any], Any]
    there: Mapping[str, Any] = field(default_factory=dict)

    def asker(self, pk: int) -> Asker:
        return self.askers._default_manager.select_related(*self.of_asker).get(pk=pk)

    def answered(self, asker: Asker) -> "QuerySet[Any]":
        """The calls that the people of whoever asks have got an answer to."""
        return self._of_people(asker).filter(state=Call.State.ANSWERED)

    def asked(self, asker: Asker) -> "QuerySet[Any]":
        """The calls that they have out."""
        return self._of_people(asker).filter(state=Call.State.SENT)

    def _of_people(self, asker: Asker) -> "QuerySet[Any]":
        return self.calls._default_manager.filter(**{self.team: asker.team.pk})


WORKS: dict[type[Asker], Work] = {
    each.askers: each
    for each in (
        Work(
            askers=MachineJudge,
            calls=MachineCall,
            of_asker=("study__team", "prompt", "rater"),
            shows="item",
            team="team",
            missing=preparing.count_missing,
            prepare=lambda judge, go_on: preparing.prepare(judge=judge, go_on=go_on),
            reader=Reader,
            take=lambda judge: taking.take_answers(judge=judge, now=timezone.now()),
        ),
        Work(
            askers=QueryRound,
            calls=QueryCall,
            of_asker=("corpus__team", "prompt"),
            shows="passage",
            team="team",
            missing=lambda round: queries_preparing.missing(round).count(),
            prepare=lambda round, go_on: queries_preparing.prepare(round=round, go_on=go_on),
            reader=QueryReader,
            take=lambda round: queries_taking.take_queries(round=round),
            there={"corpus__deleted_at": None},
        ),
    )
}


def work_of(asker: Asker) -> Work:
    return WORKS[type(asker)]
