"""API of rounds in which a model proposes entries of a bank."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from rest_framework import serializers

from annotation.clock import database_now
from annotation.models import WorkNotice
from annotation.people.access import Act
from judging import tasks
from judging.banks import deleting_rounds, rows, starting_rounds
from judging.banks.setting_up import (
    LONGEST_SUBTOPIC,
    MOST_ENTRIES,
    MOST_PASSAGES,
    MOST_RESPONSES,
    MOST_SUBTOPICS,
    EntrySettings,
    subtopics_of,
)
from judging.banks.starting_rounds import EnteredPrompt
from judging.calls.asking import Terms
from judging.models import Bank, EntryRound
from judging.pages import askers
from judging.pages.bank_api import bank_for
from judging.pages.bank_rounds import address, round_of
from judging.pages.round_api import (
    NewRoundSerializer,
    OneRound,
    RoundKind,
    RoundList,
    RoundSerializer,
    list_schema,
    round_schema,
)

MANNER = ("model", "number", "passages", "responses", "max_tokens", "temperature", "currency")


class NewEntryRoundSerializer(NewRoundSerializer):
    """A round with the default prompt, or with your own `system` and `user` messages."""

    protocol = seed = repeats = run = None  # type: ignore[assignment]  # has none of these
    topics = serializers.ChoiceField(choices=["all", "empty"], default="all")
    number = serializers.IntegerField(default=10, min_value=1, max_value=MOST_ENTRIES)
    passages = serializers.IntegerField(default=0, min_value=0, max_value=MOST_PASSAGES)
    responses = serializers.IntegerField(default=0, min_value=0, max_value=MOST_RESPONSES)
    subtopics = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_SUBTOPIC),
        default=list,
        max_length=MOST_SUBTOPICS,
    )
    max_tokens = serializers.IntegerField(default=1000, min_value=1, max_value=100_000)
    currency = serializers.RegexField("^[A-Z]{3}$", max_length=3, default="USD")
    prompt = serializers.CharField(max_length=40, default="", allow_blank=True)


class EntryRoundSerializer(RoundSerializer):
    """A round and its progress. `added` counts new entries, `same` duplicates."""

    unprepared = None  # type: ignore[assignment]  # has none
    number = serializers.IntegerField()
    added = serializers.IntegerField()
    same = serializers.IntegerField()


def _bank(person: User, may: Act, *, slug: str, pk: int, **more: int) -> Bank:
    return bank_for(person, slug=slug, pk=pk, may=may)


def _set_up(bank: Bank, data: Mapping[str, Any], by: User) -> EntryRound:
    return starting_rounds.set_up(
        bank=bank,
        name=data["name"],
        which=data["topics"],
        manner=EntrySettings(**{name: data[name] for name in MANNER}),
        terms=Terms(**{name: data[name] for name in askers.TERMS}),
        key=data["key"],
        by=by,
        now=database_now(),
        prompt=EnteredPrompt(data["prompt"], data["system"], data["user"]),
        subtopics=subtopics_of("\n".join(data["subtopics"])),
    )


ENTRIES = RoundKind(
    notice=WorkNotice.Kind.ENTRIES,
    task=tasks.propose_entries,
    address=address,
    owner=_bank,
    rounds=lambda bank: (
        EntryRound.objects.filter(bank=bank).select_related("prompt").order_by("pk")
    ),
    find=round_of,
    new=NewEntryRoundSerializer,
    set_up=_set_up,
    row=rows.entry_round,
    delete=lambda **what: deleting_rounds.delete(now=database_now(), **what),
    restore=lambda **what: deleting_rounds.restore(now=database_now(), **what),
)


@list_schema(
    "entry_rounds",
    "propose_entries",
    new=NewEntryRoundSerializer,
    row=EntryRoundSerializer,
    what=("List the rounds of a bank.", "Create a round and run it."),
)
class EntryRounds(RoundList):
    """List the rounds of a bank, or create and run a round."""

    kind = ENTRIES


@round_schema(
    "entry_round",
    "change_entry_round",
    row=EntryRoundSerializer,
    what=("Return a round with its progress.", "Run, pause, delete or restore a round."),
)
class OneEntryRound(OneRound):
    """Show a round and its progress, or run, pause, delete or restore the round."""

    kind = ENTRIES
