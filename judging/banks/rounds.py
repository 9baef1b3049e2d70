"""Rounds of entries as askers: their calls are about topics of a corpus."""

from judging.banks import generating
from judging.banks.generating import EntryReader
from judging.calls.askers import AskerKind
from judging.models import EntryCall, EntryRound

ENTRY_ROUNDS = AskerKind(
    askers=EntryRound,
    calls=EntryCall,
    related=("bank__corpus__team", "prompt"),
    shows="topic",
    missing=lambda round: generating.missing(round).count(),
    prepare=lambda round, go_on: generating.prepare(round=round, go_on=go_on),
    reader=EntryReader,
    take=lambda round: generating.take_entries(round=round),
    exists={"bank__corpus__deleted_at": None},
)
