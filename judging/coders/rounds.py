"""Registration of LLM coders as askers, so that the shared code sends their calls."""

from typing import Any

from judging.calls.askers import AskerKind, ReplyReader
from judging.coders import preparing
from judging.coders.replies import NAME, read
from judging.coding.coding_units import codebook_of
from judging.models import CoderCall, CoderRound


class CoderReader(ReplyReader):
    """Reader of the replies to the calls of an LLM coder."""

    def __init__(self, round: CoderRound) -> None:
        self._structured = round.structured
        self._keys = [code.key for code in codebook_of(round.coding)]

    def parsed(self, call: CoderCall, raw: str) -> tuple[dict[str, Any], dict[str, str]]:
        return {NAME: read(raw, known=self._keys, structured=self._structured)}, {}


def count(round: CoderRound) -> int:
    """Mark the answers that are not counted yet; return their number."""
    rows = CoderCall.objects.filter(round=round, state=CoderCall.State.ANSWERED, counted=False)
    return rows.update(counted=True)


CODER_ROUNDS = AskerKind(
    askers=CoderRound,
    calls=CoderCall,
    related=("coding__study__team", "coding__study__corpus", "prompt"),
    shows="unit",
    missing=lambda round: preparing.missing(round).count(),
    prepare=lambda round, go_on: preparing.prepare(round=round, go_on=go_on),
    reader=CoderReader,
    take=count,
    exists={"coding__study__corpus__deleted_at": None},
)
