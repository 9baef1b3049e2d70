"""API of rounds in which a model proposes entries of a bank."""

from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs
from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.models import WorkNotice
from annotation.people import access
from annotation.people.access import Act
from judging import tasks
from judging.banks import deleting_rounds, rows, setting_up, starting_rounds
from judging.banks.setting_up import MOST_ENTRIES, MOST_PASSAGES, Manner
from judging.banks.starting_rounds import Prompt
from judging.calls.asking import MOST_AT_ONCE, BadAsker, Terms
from judging.calls.prompts import LIMIT, BadPrompt
from judging.models import EntryRound
from judging.pages import askers
from judging.pages.bank_api import bank_for
from judging.pages.bank_rounds import address, round_of

TERMS = ("base_url", "price_in", "price_out", "budget", "at_most")
MANNER = ("model", "number", "passages", "max_tokens", "temperature", "currency")


class NewEntryRoundSerializer(serializers.Serializer[Any]):
    """A round with the default prompt, or with your own `system` and `user` messages."""

    name = serializers.CharField(max_length=100)
    model = serializers.CharField(max_length=100)
    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, default="", allow_blank=True, write_only=True)
    topics = serializers.ChoiceField(choices=["all", "empty"], default="all")
    number = serializers.IntegerField(default=10, min_value=1, max_value=MOST_ENTRIES)
    passages = serializers.IntegerField(default=0, min_value=0, max_value=MOST_PASSAGES)
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


class EntryRounds(Resource):
    """List the rounds of a bank, or create and run a round."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="entry_rounds", responses=EntryRoundSerializer(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Answer:
        """List the rounds of a bank."""
        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        rounds = EntryRound.objects.filter(bank=bank).select_related("prompt").order_by("pk")
        return Answer([rows.entry_round(one) for one in rounds])

    @extend_schema(
        operation_id="propose_entries",
        request=NewEntryRoundSerializer,
        responses={201: EntryRoundSerializer},
    )
    def post(self, request: Request, slug: str, pk: int) -> Answer:
        """Create a round and run it."""
        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        data = understood(NewEntryRoundSerializer, request.data)
        try:
            made = starting_rounds.set_up(
                bank=bank,
                name=data["name"],
                which=data["topics"],
                manner=Manner(**{name: data[name] for name in MANNER}),
                terms=Terms(**{name: data[name] for name in TERMS}),
                key=data["key"],
                by=self.person,
                now=database_now(),
                prompt=Prompt(data["prompt"], data["system"], data["user"]),
            )
            _run(made, self.person)
        except (BadAsker, BadPrompt) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(rows.entry_round(round_of(bank, made.pk)), status=201)


class OneEntryRound(Resource):
    """Show a round and its progress, or run, pause, delete or restore the round."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="entry_round", responses=EntryRoundSerializer)
    def get(self, request: Request, slug: str, pk: int, round: int) -> Answer:
        """Return a round with its progress."""
        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        return Answer(rows.entry_round(round_of(bank, round)))

    @extend_schema(
        operation_id="change_entry_round",
        request=askers.RoundActSerializer,
        responses=EntryRoundSerializer,
    )
    def post(self, request: Request, slug: str, pk: int, round: int) -> Answer:
        """Run, pause, delete or restore a round."""
        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        one, do = round_of(bank, round), understood(askers.RoundActSerializer, request.data)["do"]
        found, by, now = rows.entry_round(one), self.person, database_now()
        try:
            if do == "run":
                _run(one, by)
            elif do == "pause":
                setting_up.pause(round=one, by=by)
            elif do == "restore":
                deleting_rounds.restore(round=one, by=by, now=now)
            elif not deleting_rounds.delete(round=one, by=by, now=now):
                return Answer(found | {"state": EntryRound.State.WITHDRAWN})
        except BadAsker as error:
            raise DomainRefusal(error) from error
        return Answer(rows.entry_round(round_of(bank, round)))


def _run(one: EntryRound, by: access.Person) -> None:
    """Start a round and note who wants an e-mail when it ends. Raises BadAsker."""
    person = by if isinstance(by, User) else None
    setting_up.run(round=one, by=person)
    if person is not None:
        askers.expect(one, kind=WorkNotice.Kind.ENTRIES, path=address(one), user=person)
    jobs.send_after_commit(tasks.propose_entries, one.pk)
