"""Setup of rounds in which a model proposes entries."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Corpus, Passage, Response, Topic
from annotation.people import access
from judging.banks import wording
from judging.calls import asking
from judging.calls.asking import BadAsker, ModelSettings, Terms, called
from judging.calls.keys import seal
from judging.calls.running_rounds import require_free_name
from judging.models import Bank, EntryPrompt, EntryRound

MOST_ENTRIES = 50  # per topic
MOST_PASSAGES = 50
MOST_RESPONSES = 50
MOST_SUBTOPICS = 20
LONGEST_SUBTOPIC = 40  # characters; the subtopic is part of the key of its entries


@dataclass(frozen=True)
class EntrySettings(ModelSettings):
    """Model settings, with the number of entries and the texts to read per topic."""

    max_tokens: int = 1000
    number: int = 10
    passages: int = 0
    responses: int = 0
    currency: str = "USD"


@dataclass(frozen=True)
class MarkedSpan:
    """The marked words of a passage or response that a round is about."""

    passage: Passage | None = None
    response: Response | None = None
    start: int | None = None
    end: int | None = None


def save_prompt(
    *, corpus: Corpus, key: str, system: str, user: str, by: User | None, now: datetime
) -> EntryPrompt:
    """Return the prompt of this name, saving a new version if the wording changed.

    Raises BadPrompt.
    """
    words: Any = {"key": key, "system": system, "user": user}
    return asking.save_prompt(
        EntryPrompt, check=wording.check, corpus=corpus, by=by, now=now, **words
    )


WHOLE = MarkedSpan()


def subtopics_of(typed: str) -> list[str]:
    """Return the subtopics entered in a form field, one per line. Raises BadAsker."""
    lines = [" ".join(line.split()) for line in typed.replace("\x00", "").splitlines()]
    subtopics = list(dict.fromkeys(filter(None, lines)))
    if len(subtopics) > MOST_SUBTOPICS or any(len(row) > LONGEST_SUBTOPIC for row in subtopics):
        raise BadAsker(
            "subtopics",
            _("Enter up to %(n)s subtopics of up to %(length)s characters each.")
            % {"n": MOST_SUBTOPICS, "length": LONGEST_SUBTOPIC},
        )
    return subtopics


@transaction.atomic
def set_up(
    *,
    bank: Bank,
    name: str,
    prompt: EntryPrompt,
    topics: Sequence[Topic],
    manner: EntrySettings,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
    subtopics: Sequence[str] = (),
    span: MarkedSpan = WHOLE,
) -> EntryRound:
    """Create a round about topics without preparing calls. Raises BadAsker and BadPrompt."""
    terms, name = asking.checked(terms), name.strip()
    subtopics = subtopics_of("\n".join(subtopics))
    wording.check_subtopics(system=prompt.system, user=prompt.user, subtopics=subtopics)
    Bank.objects.select_for_update().get(pk=bank.pk)
    require_free_name(EntryRound.objects.filter(bank=bank), name)
    if not topics:
        raise BadAsker("no_topics", _("No topics match."))
    made = EntryRound.objects.create(
        bank=bank, name=name, prompt=prompt, model=manner.model.strip(), protocol=manner.protocol,
        structured=manner.structured, settings=manner.settings, number=manner.number,
        passages=manner.passages, responses=manner.responses, currency=manner.currency,
        sealed_key=seal(key.strip()), made_at=now, subtopics=list(subtopics),
        passage=span.passage, response=span.response, start=span.start, end=span.end,
        **asdict(terms),
    )  # fmt: skip
    made.topics.set(topics)
    access.record(user=by, act="set up a round of entries", what=called(made), of=bank)
    return made
