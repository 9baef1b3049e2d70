"""Setup of a round from the API or command line, by default with the ready-made prompt."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, OuterRef

from annotation.models import Topic
from judging.banks import setting_up, wording
from judging.banks.setting_up import EntrySettings
from judging.calls.asking import Terms
from judging.models import Bank, BankEntry, EntryRound


@dataclass(frozen=True)
class EnteredPrompt:
    """Name and wording of a prompt; an empty `user` stands for the ready-made wording."""

    key: str = ""
    system: str = ""
    user: str = ""


READY = EnteredPrompt()


def topics_of(bank: Bank, which: str) -> list[Topic]:
    """Return `all` topics, or only the `empty` ones, which have no entries."""
    topics = Topic.objects.filter(corpus=bank.corpus).order_by("pk")
    if which == "empty":
        entries = BankEntry.objects.filter(bank=bank, topic=OuterRef("pk"))
        topics = topics.filter(~Exists(entries))
    return list(topics)


@transaction.atomic
def set_up(
    *,
    bank: Bank,
    name: str,
    which: str,
    manner: EntrySettings,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
    prompt: EnteredPrompt = READY,
    subtopics: Sequence[str] = (),
) -> EntryRound:
    """Create a round without running it. Raises BadAsker and BadPrompt."""
    ready = (wording.SUBTOPIC if subtopics else wording.READY)[bank.kind]
    saved = setting_up.save_prompt(
        corpus=bank.corpus,
        key=prompt.key or ready.key,
        system=prompt.system if prompt.user else ready.system,
        user=prompt.user or ready.user,
        by=by,
        now=now,
    )
    topics = topics_of(bank, which)
    return setting_up.set_up(
        bank=bank, name=name, prompt=saved, topics=topics, manner=manner, terms=terms, key=key,
        by=by, now=now, subtopics=subtopics,
    )  # fmt: skip
