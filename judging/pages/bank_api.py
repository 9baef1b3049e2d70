"""API of banks: list and import banks, list and change entries, export files."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.corpora.formats.bank_files import FORMATS, Faults
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.translation import translated
from judging.banks import deciding, rows
from judging.banks.appending import Change, Decided
from judging.banks.entries_at import entries_at
from judging.banks.files import export_bank
from judging.banks.importing import MOST_ENTRIES, import_bank
from judging.models import Bank, EntryDecision

State = EntryDecision.State
STATE = OpenApiParameter("state", str, enum=State.values)
REVISION = OpenApiParameter("revision", int, description="Default: the current revision.")
SECRET = OpenApiParameter(
    "secret",
    str,
    enum=["yes"],
    description="Include secret entries. Owners only; recorded in the audit log.",
)
MOST_REVISION = 2**31 - 1


class BankSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    kind = serializers.ChoiceField(choices=Bank.Kind.values)
    revision = serializers.IntegerField()
    entries = serializers.IntegerField()
    description = serializers.CharField()
    created_at = serializers.DateTimeField()


class BankFileSerializer(serializers.Serializer[Any]):
    """The text of a bank file, and the bank to import it into."""

    name = serializers.CharField(max_length=200)
    content = serializers.CharField(trim_whitespace=False, max_length=20_000_000)
    state = serializers.ChoiceField(choices=State.choices, default=State.CONFIRMED)
    unknown = serializers.ChoiceField(choices=["refuse", "skip", "create"], default="refuse")


class BankImportSerializer(serializers.Serializer[Any]):
    bank = serializers.IntegerField(source="bank.pk")
    revision = serializers.IntegerField(source="bank.revision")
    format = serializers.CharField()
    added = serializers.IntegerField()
    same = serializers.IntegerField()
    repeated = serializers.IntegerField()
    new_topics = serializers.IntegerField()
    skipped_topics = serializers.ListField(child=serializers.CharField())
    other_queries = serializers.IntegerField()


class ShownEntrySerializer(serializers.Serializer[Any]):
    """An entry, and the revision of the decision that your program read last."""

    id = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
    revision = serializers.IntegerField(min_value=1, max_value=MOST_REVISION)


class EntryDecisionSerializer(serializers.Serializer[Any]):
    """A change to entries. Send `text` to edit one entry, or only `undo` to undo an act."""

    entries = ShownEntrySerializer(many=True, required=False)
    state = serializers.ChoiceField(choices=State.choices, required=False)
    importance = serializers.ChoiceField(
        choices=EntryDecision.Importance.values, required=False, allow_blank=True
    )
    secret = serializers.BooleanField(required=False, allow_null=True, default=None)
    text = serializers.CharField(required=False, max_length=10_000)
    reason = serializers.CharField(required=False, max_length=500, default="", allow_blank=True)
    undo = serializers.IntegerField(required=False, min_value=1, max_value=MOST_REVISION)


class EntrySerializer(serializers.Serializer[Any]):
    """An entry at a revision. By default, a secret entry has no `text` and no `answers`.

    `revision` is the revision of its newest decision. Send `act` as `undo` to undo that decision.
    """

    id = serializers.IntegerField()
    key = serializers.CharField()
    topic = serializers.CharField()
    facet = serializers.CharField()
    text = serializers.CharField(allow_null=True)
    state = serializers.ChoiceField(choices=State.choices)
    importance = serializers.ChoiceField(choices=EntryDecision.Importance.values, allow_blank=True)
    secret = serializers.BooleanField()
    answers = serializers.ListField(child=serializers.JSONField(), allow_null=True)
    aggregator = serializers.CharField()
    revision = serializers.IntegerField()
    act = serializers.IntegerField()
    reason = serializers.CharField()
    author = serializers.CharField()
    model = serializers.CharField()
    prompt_version = serializers.CharField()
    replaces = serializers.IntegerField(allow_null=True)
    decided_at = serializers.DateTimeField()


class EntriesDecidedSerializer(serializers.Serializer[Any]):
    done = serializers.ListField(child=serializers.IntegerField())
    same = serializers.IntegerField()
    late = serializers.IntegerField()
    act = serializers.IntegerField()


class Banks(Resource):
    """List or import banks of a corpus."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(operation_id="banks", responses=BankSerializer(many=True))
    def get(self, request: Request, slug: str) -> Answer:
        """List the banks of a corpus."""
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        return Answer(rows.banks(corpus))

    @extend_schema(
        operation_id="import_bank", request=BankFileSerializer, responses=BankImportSerializer
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Import a file into a bank."""
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        data = understood(BankFileSerializer, request.data)
        content = data.pop("content").encode(errors="replace")
        try:
            report = import_bank(
                corpus=corpus, content=content, by=self.person, now=database_now(), **data
            )
        except Faults as error:
            faults = [
                {
                    "where": f"line {line} {fault.field}".strip(),
                    "sentence": translated(fault.reason),
                }
                for line, fault in error.faults
            ]
            raise DomainRefusal(error, status=400, faults=faults) from error
        return Answer(BankImportSerializer(report).data, status=201)


class Entries(Resource):
    """List or change the entries of a bank."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(
        operation_id="bank_entries",
        responses=EntrySerializer(many=True),
        parameters=[STATE, REVISION, SECRET],
    )
    def get(self, request: Request, slug: str, pk: int) -> Answer:
        """List the entries of a bank at a revision.

        Owners can include the texts of secret entries with `secret=yes`.
        """
        secret = access.wants_secret(request)
        bank = bank_for(self.person, slug=slug, pk=pk, may=Act.MANAGE if secret else self.act)
        state = request.query_params.get("state", "")
        states = [state] if state in State.values else []
        found = entries_at(bank, revision_of(request), states=states)
        if secret:
            access.record_secret(user=self.person, what=f"entries of bank {bank.pk}", of=bank)
        return Answer(rows.entries(bank, found, secret=secret))

    @extend_schema(
        operation_id="decide_entries",
        request=EntryDecisionSerializer,
        responses=EntriesDecidedSerializer,
    )
    def post(self, request: Request, slug: str, pk: int) -> Answer:
        """Confirm, edit or retire entries, or undo a decision."""
        bank = self.bank(slug, pk)
        data = understood(EntryDecisionSerializer, request.data)
        done = self._decided(bank, data)
        return Answer(EntriesDecidedSerializer(done).data)

    def _decided(self, bank: Bank, data: dict[str, Any]) -> Decided:
        how: dict[str, Any] = {"bank": bank, "by": self.person, "now": database_now()}
        if "undo" in data:
            return deciding.undo(act=data["undo"], **how)
        shown = {entry["id"]: entry["revision"] for entry in data.get("entries", ())}
        if not shown or len(shown) > MOST_ENTRIES:
            raise ValidationError({"entries": "Send at least one entry."})
        change = Change(data.get("state"), data.get("importance"), data["secret"])
        if "text" not in data:
            return deciding.decide(shown=shown, change=change, reason=data["reason"], **how)
        if len(shown) != 1:
            raise ValidationError({"text": "Send a text for one entry only."})
        ((entry, revision),) = shown.items()
        new = deciding.edit(entry=entry, shown=revision, text=data["text"], change=change, **how)
        (edited,) = entries_at(bank, entries=[new.pk])
        return Decided((new.pk,), act=edited.act)

    def bank(self, slug: str, pk: int) -> Bank:
        return bank_for(self.person, slug=slug, pk=pk, may=self.act)


class BankFile(Resource):
    """Export a bank as a file. Owners can include secret entries with `secret=yes`."""

    acts = {"GET": Act.EXPORT}

    @extend_schema(
        operation_id="bank_file",
        responses=OpenApiTypes.BINARY,
        parameters=[
            OpenApiParameter("as", str, enum=list(FORMATS)),
            SECRET,
            REVISION,
        ],
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        secret = access.wants_secret(request)
        wanted = Act.MANAGE if secret else self.act
        bank = bank_for(self.person, slug=slug, pk=pk, may=wanted)
        name = request.query_params.get("as", "rubric")
        if name not in FORMATS:
            raise ValidationError({"as": f"Choose one of {', '.join(FORMATS)}."})
        file = export_bank(bank, format=name, revision=revision_of(request), secret=secret)
        if secret:
            access.record_secret(user=self.person, what=f"bank {bank.pk}", of=bank)
        answer = HttpResponse(file.content, content_type="application/jsonl; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{file.name}"'
        return answer


def bank_for(person: access.Person, *, slug: str, pk: int, may: Act) -> Bank:
    """Return a bank whose corpus knows the role of the user."""
    corpus = access.corpus_for(person, slug=slug, may=Act.VIEW)
    bank = get_object_or_404(Bank, corpus=corpus, pk=pk)
    bank.corpus = access.corpus_for(person, slug=slug, may=may)
    return bank


def revision_of(request: Request) -> int | None:
    """Return the requested revision. Raises ValidationError."""
    text = request.query_params.get("revision", "")
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or int(text) > MOST_REVISION:
        raise ValidationError({"revision": "Enter a number."})
    return int(text)
