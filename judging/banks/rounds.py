"""Registration of entry rounds as askers, so that the shared code sends their calls."""

from judging.banks import generating
from judging.banks.generating import EntryReader
from judging.calls.askers import AskerKind
from judging.models import EntryCall, EntryRound

ENTRY_ROUNDS = AskerKind(
    askers=EntryRound,
    calls=EntryCall,
    related=("bank__corpus__team", "prompt"),
    shows="topic",
    missing=lambda round: generating.topics_without_calls(round).count(),
    prepare=lambda round, go_on: generating.prepare(round=round, go_on=go_on),
    reader=EntryReader,
    take=lambda round: generating.take_entries(round=round),
    exists={"bank__corpus__deleted_at": None},
)
