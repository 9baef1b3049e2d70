"""Kinds of askers: how their calls are made, read and recorded. Sending is the same for all."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import QuerySet

from annotation.texts.untrusted import storable
from judging.calls.protocols import End
from judging.calls.replies import ENDS, CallOutcome, UnreadableAnswer
from judging.models.calls import Asker, Call


class ReplyReader:
    """Reader of the answers to an asker's calls. What they show is looked up once a batch."""

    def look_up(self, calls: Iterable[Any]) -> None:
        pass

    def forget(self, call: Any) -> None:
        pass

    def parsed(self, call: Any, raw: str) -> tuple[dict[str, Any], dict[str, str]]:
        """Return an answer and its reasons. Raises UnreadableAnswer."""
        raise NotImplementedError

    def read(self, call: Any, text: str, *, end: End = End.DONE) -> CallOutcome:
        raw = storable(text)
        try:
            if end in ENDS:
                raise UnreadableAnswer(*ENDS[end])
            return CallOutcome(raw, *self.parsed(call, raw))
        except UnreadableAnswer as error:
            return CallOutcome(raw, error=error.kind, said=storable(str(error)))
        finally:
            self.forget(call)


@dataclass(frozen=True)
class AskerKind:
    """`missing` counts items without calls and `prepare` makes these; `take` records answers.

    `exists` are the conditions of askers whose study or corpus is not deleted.
    """

    askers: type[Asker]
    calls: type[Call]
    related: tuple[str, ...]  # looked up with an asker
    shows: str  # looked up with a call
    missing: Callable[[Any], int]
    prepare: Callable[[Any, Callable[[], bool]], int]
    reader: Callable[[Any], ReplyReader]
    take: Callable[[Any], Any]
    exists: Mapping[str, Any] = field(default_factory=dict)

    def asker(self, pk: int) -> Asker:
        return self.askers._default_manager.select_related(*self.related).get(pk=pk)

    def answered(self, asker: Asker) -> "QuerySet[Any]":
        """Return the answered calls of the asker's team."""
        return self._calls_of_team(asker).filter(state=Call.State.ANSWERED)

    def sent(self, asker: Asker) -> "QuerySet[Any]":
        """Return the calls of the asker's team that wait for an answer."""
        return self._calls_of_team(asker).filter(state=Call.State.SENT)

    def _calls_of_team(self, asker: Asker) -> "QuerySet[Any]":
        rows = self.calls._default_manager
        return rows.filter(team=asker.team.pk)  # type: ignore[misc]  # of both tables


_KINDS: dict[type[Asker], AskerKind] = {}


def register(kind: AskerKind) -> None:
    """Make a kind of askers known; called once when the app starts."""
    _KINDS[kind.askers] = kind


def kind_of(askers: type[Asker]) -> AskerKind:
    return _KINDS[askers]
