"""Setting up, changing, starting and stopping rounds of entries."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from annotation.models import Corpus, Topic
from annotation.people import access
from judging.banks import wording
from judging.calls import asking
from judging.calls.asking import BadAsker, ModelSettings, Terms, called
from judging.calls.keys import seal
from judging.models import Bank, EntryPrompt, EntryRound

MOST_ENTRIES = 50  # of a topic
MOST_PASSAGES = 50


@dataclass(frozen=True)
class Manner(ModelSettings):
    """Settings of the model, the entries wanted of a topic, and the passages that it reads."""

    max_tokens: int = 1000
    number: int = 10
    passages: int = 0
    currency: str = "USD"


@transaction.atomic
def save_prompt(
    *, corpus: Corpus, key: str, system: str, user: str, by: User | None, now: datetime
) -> EntryPrompt:
    """Return the prompt of this name with this wording: the newest version, or a new one.

    Raises BadPrompt.
    """
    system, user = (text.replace("\r\n", "\n") for text in (system, user))
    wording.check(system=system, user=user)
    Corpus.objects.select_for_update(no_key=True).get(pk=corpus.pk)
    return asking.save_version(
        EntryPrompt, corpus=corpus, key=key, system=system, user=user, by=by, now=now
    )


@transaction.atomic
def set_up(
    *,
    bank: Bank,
    name: str,
    prompt: EntryPrompt,
    topics: Sequence[Topic],
    manner: Manner,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
) -> EntryRound:
    """Create a round about topics; no call is made yet. Raises BadAsker."""
    terms, name = asking.checked(terms), name.strip()
    Bank.objects.select_for_update().get(pk=bank.pk)
    if EntryRound.objects.filter(bank=bank, name=name).exists():
        raise BadAsker(_("Round %(name)s already exists.") % {"name": name})
    if not topics:
        raise BadAsker(_("No topics match."))
    made = EntryRound.objects.create(
        bank=bank, name=name, prompt=prompt, model=manner.model.strip(), protocol=manner.protocol,
        structured=manner.structured, settings=manner.settings, number=manner.number,
        passages=manner.passages, currency=manner.currency, sealed_key=seal(key.strip()),
        made_at=now, **asdict(terms),
    )  # fmt: skip
    made.topics.set(topics)
    access.record(user=by, act="set up a round of entries", what=called(made), of=bank)
    return made


@transaction.atomic
def change(*, round: EntryRound, terms: Terms, key: str | None, by: User | None) -> None:
    """Change the terms; None keeps the key, an empty one removes it. Raises BadAsker."""
    asking.change_terms(asker=round, terms=asking.checked(terms), key=key)
    access.record(user=by, act="changed a round of entries", what=called(round), of=round.bank)


@transaction.atomic
def run(*, round: EntryRound, by: User | None) -> None:
    """Start the round. Raises BadAsker."""
    if not asking.let_run(asker=round):
        raise BadAsker(_("%(name)s is already running.") % {"name": round.name})
    access.record(user=by, act="let a model propose entries", what=called(round), of=round.bank)


@transaction.atomic
def pause(*, round: EntryRound, by: User | None) -> None:
    """Stop sending calls and wait for those that were sent. Raises BadAsker."""
    if not asking.let_pause(asker=round):
        raise BadAsker(_("%(name)s is not running.") % {"name": round.name})
    access.record(user=by, act="paused a round of entries", what=called(round), of=round.bank)


@transaction.atomic
def retry(*, round: EntryRound, error: str, by: User | None) -> int:
    """Send failed or lost calls with this error again; return their number."""
    again = asking.send_again(asker=round, error=error)
    if again:
        summary = f"{called(round)}: {again:,} ({error})"
        act = "sent calls of a round of entries again"
        access.record(user=by, act=act, what=summary, of=round.bank)
    return again
