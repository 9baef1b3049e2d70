"""Registration of LLM authors as askers, so that the shared code sends their calls."""

from judging.authors import preparing, publishing
from judging.authors.publishing import AuthorReader
from judging.calls.askers import AskerKind
from judging.models import AuthorCall, AuthorRound

AUTHOR_ROUNDS = AskerKind(
    askers=AuthorRound,
    calls=AuthorCall,
    related=("study__team", "study__corpus", "prompt"),
    shows="topic",
    missing=lambda round: len(preparing.missing(round)),
    prepare=lambda round, go_on: preparing.prepare(round=round, go_on=go_on),
    reader=AuthorReader,
    take=lambda round: publishing.take_texts(round=round),
    exists={"study__corpus__deleted_at": None},
)
