"""What came back for a call of a round. Only reads."""

from collections.abc import Iterable

from judging.machines.answers import ENDS, Outcome, clean
from judging.machines.protocols import End
from judging.machines.replies import NotRead
from judging.models import QueryCall, QueryRound
from judging.queries.replies import NAME, read


class QueryReader:
    """Reads the answers to the calls of a round: what they show is of no account."""

    def __init__(self, round: QueryRound) -> None:
        self._round = round

    def look_up(self, calls: Iterable[QueryCall]) -> None:
        pass

    def read(self, call: QueryCall, text: str, *, end: End = End.DONE) -> Outcome:
        raw = clean(text)
        if end in ENDS:
            kind, said = ENDS[end]
            return Outcome(raw, error=kind, said=said)
        try:
            found = read(raw, most=self._round.number, structured=self._round.structured)
        except NotRead as error:
            return Outcome(raw, error=error.kind, said=clean(str(error)))
        # Escaped in JSON, a half of a sign comes into being only when that is read.
        return Outcome(raw, {NAME: [clean(each) for each in found]})

    def forget(self, call: QueryCall) -> None:
        pass
