"""Drafts for programs: the document out and in, changed by several, launched once."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_field, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.console.api.studies import StudySerializer
from annotation.console.builder.typed_input import choices_of, type_at
from annotation.models import Draft, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.studies.drafts import launching, making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import computable, decoded, kind_of, registered_kinds
from annotation.studies.drafts.lookup import all_as_seen, as_seen, draft_for
from annotation.studies.drafts.method_texts import text_changes
from annotation.studies.drafts.plain_data import BadDocument
from annotation.studies.drafts.schema import SETTINGS
from annotation.studies.instruments import BadInstrument, Fault
from annotation.texts.translation import translated_error

MAX_NAME_LENGTH = 200  # characters of the name of a method or a corpus
MAX_METHODS = 50
MAX_PATH_LENGTH = 1000  # characters
MAX_CHANGES = 500  # in one request: each is checked, in about half a millisecond


class DraftLineSerializer(serializers.ModelSerializer[Draft]):
    corpus = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    id = serializers.IntegerField(source="pk")

    class Meta:
        model = Draft
        fields = ("id", "kind", "slug", "title", "corpus", "revision", "changed_at")


class DraftSerializer(DraftLineSerializer):
    """A draft with its document and the problems that prevent its launch."""

    document = serializers.JSONField(
        help_text=gettext_lazy("A StudyDocument. `faults` lists values that exceed a limit.")
    )
    faults = serializers.SerializerMethodField()

    class Meta(DraftLineSerializer.Meta):
        fields = (*DraftLineSerializer.Meta.fields, "document", "faults")  # type: ignore[assignment]

    def get_faults(self, draft: Draft) -> list[dict[str, str]]:
        return said(faults_of(decoded(draft.document), draft=draft))


@extend_schema_field({"$ref": "#/components/schemas/StudyDocument"})
class DocumentField(serializers.JSONField):
    """A study document, described by the declared settings."""


def _declared(path: str) -> dict[str, Any]:
    """Return the arguments of the field of a setting, by its path in the document."""
    setting = SETTINGS[path]
    limit = {"max_length": setting.max_length} if setting.max_length else {}
    help = gettext_lazy(str(setting.help))
    return {"required": False, "default": setting.default, "help_text": help, **limit}


class NewDraftSerializer(serializers.Serializer[Any]):
    """Either a complete document, or the methods to start with."""

    document = DocumentField(required=False)
    kind = serializers.ChoiceField(choices=choices_of(type_at("", "kind")), default="judging")
    instruments = serializers.ListField(
        child=serializers.CharField(max_length=MAX_NAME_LENGTH),
        required=False,
        max_length=MAX_METHODS,
    )
    corpus = serializers.SlugField(required=False, max_length=MAX_NAME_LENGTH)
    title = serializers.CharField(allow_blank=True, **_declared("title"))
    language = serializers.ChoiceField(choices=Study.Language.choices, **_declared("language"))


class ChangeSerializer(serializers.Serializer[Any]):
    """A change at a path: set a value, or add, remove or move an element of a list."""

    op = serializers.ChoiceField(choices=["set", "add", "remove", "move"], default="set")
    path = serializers.CharField(max_length=MAX_PATH_LENGTH)
    value = serializers.JSONField(required=False, default=None)
    position = serializers.IntegerField(required=False, allow_null=True, default=None)


class ChangesSerializer(serializers.Serializer[Any]):
    """Changes relative to the revision that you read."""

    revision = serializers.IntegerField(min_value=0)
    changes: serializers.ListSerializer[Any] = serializers.ListSerializer(
        child=ChangeSerializer(), max_length=MAX_CHANGES
    )


class RevisionSerializer(serializers.Serializer[Any]):
    revision = serializers.IntegerField(min_value=0)


def said(faults: list[Fault]) -> list[dict[str, str]]:
    return [{"path": fault.path, "sentence": fault.sentence} for fault in faults]


class Drafts(Resource):
    """List the drafts that you can see; create one."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(operation_id="drafts", responses=DraftLineSerializer(many=True))
    def get(self, request: Request) -> Answer:
        """List the drafts that you can see."""
        rows = access.seen_by(self.person, Draft.objects.filter(study=None, deleted_at=None))
        drafts = list(rows.select_related("corpus", "base"))
        all_as_seen(drafts, user=self.person)
        return Answer(DraftLineSerializer(drafts, many=True).data)

    @extend_schema(
        operation_id="make_draft", request=NewDraftSerializer, responses={201: DraftSerializer}
    )
    def post(self, request: Request) -> Answer:
        """Create a draft."""
        wanted = understood(NewDraftSerializer, request.data)
        try:
            with transaction.atomic():
                draft = making.make_draft(
                    document=self._document(wanted), user=self.person, now=database_now()
                )
                access.record(user=self.person, act="made a draft", what=str(draft), of=draft)
        except (BadDocument, BadInstrument) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(DraftSerializer(draft).data, status=201)

    def _document(self, wanted: dict[str, Any]) -> Any:
        if "document" in wanted:
            return computable(decoded(wanted["document"]))
        names = wanted.get("instruments") or []
        kind = kind_of(wanted["kind"])
        if unknown := set(names) - set(kind.available()):
            raise BadDocument(
                "unknown_method",
                f"Method not found: {', '.join(sorted(unknown))}. Available: "
                f"{', '.join(kind.available())}.",
            )
        slug = wanted.get("corpus")
        corpus = access.corpus_for(self.person, slug=slug, may=Act.VIEW) if slug else None
        return making.document_of_methods(
            kind=wanted["kind"],
            instruments=[kind.load(name, wanted["language"]) for name in names],
            title=wanted["title"],
            corpus=corpus,
            language=wanted["language"],
        )


class OneDraft(Resource):
    """Return a draft with its document, revision and problems."""

    @extend_schema(operation_id="draft", responses=DraftSerializer)
    def get(self, request: Request, pk: int) -> Answer:
        return Answer(DraftSerializer(draft_for(self.person, pk=pk, may=self.act)).data)


class Changes(Resource):
    """Change a draft. Changes that others made elsewhere since the revision stay."""

    acts = {"POST": Act.EDIT}

    @extend_schema(
        operation_id="change_draft", request=ChangesSerializer, responses=DraftSerializer
    )
    def post(self, request: Request, pk: int) -> Answer:
        draft = draft_for(self.person, pk=pk, may=self.act)
        wanted = understood(ChangesSerializer, request.data)
        changes = [DraftChange(**change) for change in wanted["changes"]]
        draft.document = saving.complete(draft.document)
        seen = saving.document_at(draft, min(wanted["revision"], draft.revision))
        try:
            saved = saving.save(
                draft=draft,
                revision=wanted["revision"],
                changes=[*changes, *text_changes(changes, seen)],
                user=self.person,
                now=database_now(),
            )
        except saving.NotSaved as error:
            status = 409 if isinstance(error, saving.Conflict) else 400
            faults = [{"path": error.path, "sentence": translated_error(error)}]
            raise DomainRefusal(error, status=status, faults=faults) from error
        except saving.DraftClosed as error:
            raise DomainRefusal(error) from error
        return Answer(DraftSerializer(as_seen(saved, user=self.person)).data)


class LaunchSerializer(RevisionSerializer):
    """`pilot`: tasks to start with; the others wait in a planned batch. 0: no pilot."""

    pilot = serializers.IntegerField(required=False, default=0, min_value=0)


class Launch(Resource):
    """Launch the study of a draft, once. `revision` is the one that you reviewed."""

    acts = {"POST": Act.RUN}

    @extend_schema(
        operation_id="launch_draft", request=LaunchSerializer, responses={201: StudySerializer}
    )
    def post(self, request: Request, pk: int) -> Answer:
        draft = draft_for(self.person, pk=pk, may=self.act)
        wanted = understood(LaunchSerializer, request.data)
        try:
            with transaction.atomic():
                study = launching.launch(
                    draft=draft, user=self.person, now=database_now(), **wanted
                )
                access.record(user=self.person, act="launched", what=str(study), of=study)
        except launching.HasFaults as error:
            raise DomainRefusal(
                "This draft can't be launched yet.", faults=said(error.faults)
            ) from error
        except launching.BadPilot as error:
            raise serializers.ValidationError({"pilot": [translated_error(error)]}) from error
        except (launching.DraftChanged, saving.DraftClosed) as error:
            raise DomainRefusal(error) from error
        return Answer(StudySerializer(study).data, status=201)


class Methods(Resource):
    """List the methods of a new draft by kind of study."""

    @extend_schema(
        operation_id="methods",
        responses=inline_serializer(
            "Methods",
            {
                "judging": serializers.ListField(child=serializers.CharField()),
                "writing": serializers.ListField(child=serializers.CharField()),
            },
        ),
    )
    def get(self, request: Request) -> Answer:
        return Answer({name: kind.available() for name, kind in registered_kinds().items()})
