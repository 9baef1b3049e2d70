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
from judging.calls.asking import MOST_AT_ONCE, Terms
from judging.calls.prompts import LIMIT
from judging.models import Bank, EntryRound
from judging.pages import askers
from judging.pages.bank_api import bank_for
from judging.pages.bank_rounds import address, round_of
from judging.pages.round_api import OneRound, RoundKind, RoundList, list_schema, round_schema

MANNER = ("model", "number", "passages", "responses", "max_tokens", "temperature", "currency")


class NewEntryRoundSerializer(serializers.Serializer[Any]):
    """A round with the default prompt, or with your own `system` and `user` messages."""

    name = serializers.CharField(max_length=100)
    model = serializers.CharField(max_length=100)
    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, default="", allow_blank=True, write_only=True)
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
    temperature = serializers.FloatField(default=0, min_value=0, max_value=2, allow_null=True)
    currency = serializers.RegexField("^[A-Z]{3}$", max_length=3, default="USD")
    price_in = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    price_out = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    budget = serializers.DecimalField(10, 2, default=None, min_value=0, allow_null=True)
    at_most = serializers.IntegerField(default=8, min_value=1, max_value=MOST_AT_ONCE)
    prompt = serializers.CharField(max_length=40, default="", allow_blank=True)
    system = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)
    user = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)


class EntryRoundSerializer(serializers.Serializer[Any]):
    """A round and its progress. `added` counts new entries, `same` duplicates."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=EntryRound.State.choices)
    said = serializers.CharField()
    model = serializers.CharField()
    prompt = serializers.CharField()
    number = serializers.IntegerField()
    made_at = serializers.DateTimeField()
    calls = serializers.IntegerField()
    answered = serializers.IntegerField()
    failed = serializers.IntegerField()
    unread = serializers.IntegerField()
    added = serializers.IntegerField()
    same = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)


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
