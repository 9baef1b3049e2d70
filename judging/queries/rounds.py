"""Rounds of queries as askers: their calls are about passages of a corpus."""

from judging.calls.askers import AskerKind
from judging.models import QueryCall, QueryRound
from judging.queries import preparing, recording
from judging.queries.answers import QueryReader

ROUNDS = AskerKind(
    askers=QueryRound,
    calls=QueryCall,
    related=("corpus__team", "prompt"),
    shows="passage",
    missing=lambda round: preparing.missing(round).count(),
    prepare=lambda round, go_on: preparing.prepare(round=round, go_on=go_on),
    reader=QueryReader,
    take=lambda round: recording.take_queries(round=round),
    exists={"corpus__deleted_at": None},
)
