"""A model's texts become responses of the corpus, under a system of their round."""

from typing import Any

from django.db import transaction

from annotation.corpora.adding_responses import add_response
from annotation.models import Origin, System
from annotation.texts.sentences import Sentence, marked
from judging.authors.preparing import brief_of, passages_of
from judging.calls.askers import ReplyReader
from judging.calls.replies import UnreadableAnswer
from judging.models import AuthorCall, AuthorRound

LONGEST = 50_000  # characters of a text
TEXT = "text"


class AuthorReader(ReplyReader):
    """Reader of the replies to an author's calls: the whole reply is the text."""

    def __init__(self, round: AuthorRound) -> None:
        self._round = round

    def parsed(self, call: AuthorCall, raw: str) -> tuple[dict[str, Any], dict[str, str]]:
        text = raw.strip()
        if not any(sign.isalnum() for sign in text):
            raise UnreadableAnswer("unparsed", marked("The answer is empty."))
        if len(text) > LONGEST:
            raise UnreadableAnswer(
                "unparsed", Sentence("The text has more than {n:,} characters.", n=LONGEST)
            )
        return {TEXT: text}, {}


def take_texts(*, round: AuthorRound) -> int:
    """Publish the answers that are not counted yet; return their number. Safe to repeat."""
    brief, taken = brief_of(round.study), 0
    rows = AuthorCall.objects.filter(
        round=round, state=AuthorCall.State.ANSWERED, counted=False
    ).order_by("pk")
    for pk in list(rows.values_list("pk", flat=True)):
        with transaction.atomic():
            call = rows.select_for_update(of=("self",)).select_related("topic").filter(pk=pk)
            one = call.first()
            if one is None:  # another worker took it while this one waited for its lock
                continue
            one.response = add_response(
                topic=one.topic,
                key=f"{round.study.slug}-{round.study.version}-author-{pk}",
                style=one.style,
                origin=Origin.LLM,
                system=_system_of(round),
                text=(one.parsed or {})[TEXT],
                passages=passages_of(brief, one.topic),
            )
            one.counted = True
            one.save(update_fields=["response", "counted"])
            taken += 1
    return taken


def _system_of(round: AuthorRound) -> System:
    """Return the system that has the texts of a round: its model with its prompt."""
    system, _ = System.objects.get_or_create(
        corpus_id=round.study.corpus_id,
        key=f"{round.study.slug}-{round.study.version}-{round.name}",
        defaults={"name": f"{round.name} ({round.model}, {round.prompt})"},
    )
    return system
