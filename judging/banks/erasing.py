"""Erasing the words of a withdrawn text from entries, studies, drafts and prompts that have them.

The rows stay: grades refer to the key of an entry, which is a digest of its text.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from annotation import wiping
from annotation.models import Corpus, Draft, DraftRevision, Response, Topic
from judging.banks import wording
from judging.banks.appending import append, fields_of, lock, record
from judging.banks.entries_at import State, entries_at
from judging.calls.forgetting import forget_criteria, forget_readers, forget_rounds
from judging.models import (
    Bank,
    BankEntry,
    Criterion,
    EntryCall,
    EntryDecision,
    EntryPrompt,
    EntryRound,
)

REASON = "text withdrawn"


@transaction.atomic
def erase_words(*, responses: Collection[int], now: datetime) -> None:
    """Erase the entries worded from these responses and the prompts that quote them.

    Calls come first: a worker that is adding their entries holds their rows until it is done.
    Call it before the responses are blanked or deleted.
    """
    forget_readers(responses)
    entries = BankEntry.objects.filter(pk__in=worded_from(responses)).exclude(text="")
    for bank in Bank.objects.filter(pk__in=entries.values("bank")).order_by("pk"):
        _erase_entries(bank, entries.filter(bank=bank), now)
    _erase_prompts(responses)


def worded_from(responses: Collection[int]) -> set[int]:
    """Return the entries of selected words or of a model that read them, with later wordings."""
    found = set(BankEntry.objects.filter(response__in=responses).values_list("pk", flat=True))
    topics = Topic.objects.filter(responses__in=responses)
    generated = BankEntry.objects.filter(topic__in=topics, extra__has_key="round")
    of_call = {
        tuple(place): read
        for *place, read in EntryCall.objects.filter(topic__in=topics)
        .exclude(read=[])
        .values_list("round", "topic", "subtopic", "read")
    }
    for pk, topic, facet, extra in generated.values_list("pk", "topic", "facet", "extra"):
        read = extra.get("read") or of_call.get((extra["round"], topic, facet), ())
        if not {*responses}.isdisjoint(read):
            found.add(pk)
    later = found
    while later:
        rows = BankEntry.objects.filter(replaces__in=later).values_list("pk", flat=True)
        later = set(rows) - found
        found |= later
    return found


def _erase_entries(bank: Bank, entries: "QuerySet[BankEntry]", now: datetime) -> None:
    lock(bank)
    found = dict(entries.values_list("pk", "key"))
    rows = entries_at(bank, entries=list(found))
    retired = [
        (row.pk, fields_of(row) | {"state": State.RETIRED, "answers": []})
        for row in rows
        if row.state != State.RETIRED or row.answers
    ]
    append(bank, retired, by=None, now=now, reason=REASON)
    BankEntry.objects.filter(pk__in=found).erase()
    EntryDecision.objects.filter(entry__in=found).exclude(answers=[]).erase()
    keys = set(found.values())
    Criterion.objects.filter(instrument__bank=bank, key__in=keys).update(name="", definition="")
    forget_criteria(bank=bank.pk, keys=keys)
    _erase_drafts(bank.corpus, keys)
    record(bank, None, "erased withdrawn entries", sorted(keys))
    wiping.mark_erasure()


def _erase_drafts(corpus: Corpus, keys: Collection[str]) -> None:
    drafts = Draft.objects.filter(corpus=corpus)
    for draft in drafts.select_for_update():
        if (document := blanked(draft.document, keys)) != draft.document:
            Draft.objects.filter(pk=draft.pk).update(document=document)
    for revision in DraftRevision.objects.filter(draft__in=drafts):
        if (changes := blanked(revision.changes, keys)) != revision.changes:
            DraftRevision.objects.filter(pk=revision.pk).update(changes=changes)


def blanked(data: Any, keys: Collection[str]) -> Any:
    """Return plain data whose criteria with these keys have no name and no definition."""
    if isinstance(data, list):
        return [blanked(part, keys) for part in data]
    if not isinstance(data, dict):
        return data
    if data.get("key") in keys and "definition" in data:
        return data | {"name": "", "definition": ""}
    return {name: blanked(part, keys) for name, part in data.items()}


def _erase_prompts(responses: Collection[int]) -> None:
    """Empty the prompts about a marked span of these responses, and those that quote it."""
    rounds = EntryRound.objects.filter(response__in=responses).select_related("bank")
    texts = dict(Response.objects.filter(pk__in=responses).values_list("pk", "text"))
    prompts = {round.prompt_id for round in rounds}
    for round in rounds:
        text = texts.get(round.response_id or 0, "")
        if words := wording.escaped(text[round.start or 0 : round.end or 0]):
            quoting = EntryPrompt.objects.filter(corpus=round.bank.corpus_id, user__contains=words)
            prompts |= set(quoting.values_list("pk", flat=True))
    if prompts:
        EntryPrompt.objects.filter(pk__in=prompts).update(user="")
        wiping.mark_erasure()
        forget_rounds()
