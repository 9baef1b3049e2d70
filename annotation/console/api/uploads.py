"""Uploads for programs: files brought, explained, checked and imported into a corpus."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.corpora.reading.delimited import SEPARATORS
from annotation.corpora.reading.encodings import CODE_PAGES, UTF_8
from annotation.corpora.reading.headers import FOUND
from annotation.corpora.remedies import MOST_CHARACTERS, Remedy
from annotation.corpora.resolving import FORMS, OPTIONAL
from annotation.corpora.schema import OWN_KEYS, RowKind
from annotation.corpora.uploads import checking, gathering, request_files
from annotation.corpora.uploads.files import kind_of
from annotation.corpora.uploads.lookup import upload_for
from annotation.corpora.uploads.progress import progress_of
from annotation.corpora.uploads.questions import open_questions
from annotation.corpora.uploads.refusals import NothingToCheck, upload_too_large
from annotation.models import Corpus, CorpusUpload, Origin, UploadedFile
from annotation.people import access
from annotation.people.access import Act
from annotation.tasks import work_on_upload

BAD_LINE = ("file", "line", "field", "reason")


@extend_schema_serializer(component_name="FileOfUpload")
class FileSerializer(serializers.Serializer[UploadedFile]):
    """A file with its kind of rows, columns, mapping and open questions."""

    id = serializers.IntegerField(source="pk")
    name = serializers.CharField()
    size = serializers.IntegerField()
    kind = serializers.SerializerMethodField()
    columns = serializers.ListField(child=serializers.CharField(), source="look.names")
    mapping = serializers.JSONField()
    opening = serializers.SerializerMethodField()
    fault = serializers.CharField(source="look.fault")
    questions = serializers.SerializerMethodField()

    def get_kind(self, file: UploadedFile) -> str:
        return kind_of(file)

    def get_opening(self, file: UploadedFile) -> dict[str, Any]:
        """Container, sheet, encoding, separator and header of a file."""
        opening = file.look.get("opening") or {}
        return {
            **{name: opening.get(name, "") for name in ("container", "encoding", "separator")},
            "is_encoding_guessed": bool(opening.get("is_encoding_guessed")),
            "sheet": opening.get("sheet", ""),
            "sheets": [sheet["name"] for sheet in opening.get("sheets", ())],
            "header": opening.get("header", FOUND),
            "notes": list(opening.get("notes", ())),
        }

    def get_questions(self, file: UploadedFile) -> list[str]:
        return [] if file.look["fault"] else open_questions(file.look, file.mapping)


class UploadLineSerializer(serializers.ModelSerializer[CorpusUpload]):
    corpus = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True, allow_null=True)
    id = serializers.IntegerField(source="pk")

    class Meta:
        model = CorpusUpload
        fields = ("id", "name", "corpus", "state", "problem", "changed_at")
        extra_kwargs = {"problem": {"help_text": "Reason why the last job failed."}}


class UploadSerializer(UploadLineSerializer):
    """An upload with its files, progress and report.

    In the report, `counts` has rows by kind: new, identical, and in conflict with the corpus.
    `bad` is the number of rows with a problem. `lines` lists the first 100 with file, line, field
    and reason; `followers` are rows that only fail because of those. `problems` groups rows by
    code, with a count, samples, remedies, the default and the chosen remedy.
    """

    files = FileSerializer(many=True)
    progress = serializers.SerializerMethodField()
    report = serializers.SerializerMethodField()

    class Meta(UploadLineSerializer.Meta):
        fields = (*UploadLineSerializer.Meta.fields, "files", "progress", "report")  # type: ignore[assignment]

    def get_progress(self, upload: CorpusUpload) -> dict[str, Any]:
        return progress_of(upload.folder) if upload.state in CorpusUpload.BUSY else {}

    def get_report(self, upload: CorpusUpload) -> dict[str, Any]:
        report = upload.report
        lines = {
            name: [dict(zip(BAD_LINE, line, strict=True)) for line in report.get(name, [])]
            for name in ("lines", "followers", "warned")
        }
        return {**report, **lines} if report else {}


class SentSerializer(UploadSerializer):
    """The upload and the skipped files, which belong to published studies and contain no texts."""

    left_out = serializers.SerializerMethodField()

    class Meta(UploadSerializer.Meta):
        fields = (*UploadSerializer.Meta.fields, "left_out")  # type: ignore[assignment]

    def get_left_out(self, _: CorpusUpload) -> list[str]:
        names: list[str] = self.context["left_out"]
        return names


OPENING = ("sheet", "encoding", "separator", "header")
MAX_COLUMN_LENGTH = 1000  # characters of the name of a column


class NewUploadSerializer(serializers.Serializer[Any]):
    """The name of a new corpus, or the slug of an existing one."""

    name = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    licence = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    corpus = serializers.SlugField(required=False, max_length=200)


class FilesSerializer(serializers.Serializer[Any]):
    files = serializers.ListField(child=serializers.FileField())


class ReadSerializer(serializers.Serializer[Any]):
    """Reading options of a file.

    A new sheet, encoding, separator or header opens the file and detects its columns again.
    `columns` maps our fields to its columns, `all` sets values for all rows, `number` numbers rows.
    """

    sheet = serializers.CharField(required=False, max_length=MAX_COLUMN_LENGTH)
    encoding = serializers.ChoiceField(choices=[UTF_8, *CODE_PAGES], required=False)
    separator = serializers.ChoiceField(choices=list(SEPARATORS), required=False)
    header = serializers.ChoiceField(
        choices=list(gathering.HEADERS),
        required=False,
        help_text=gettext_lazy("Number of the header row, or none."),
    )

    kind = serializers.ChoiceField(choices=[row_kind.value for row_kind in RowKind], required=False)
    columns = serializers.DictField(
        child=serializers.CharField(max_length=MAX_COLUMN_LENGTH), required=False
    )
    all = serializers.DictField(
        child=serializers.ChoiceField(
            choices=sorted({value for values in gathering.FIXED.values() for value in values})
        ),
        required=False,
    )
    number = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(set(OWN_KEYS.values()))),
        required=False,
        max_length=len(OWN_KEYS),
    )


class RemedySerializer(serializers.Serializer[Any]):
    """Choice of a remedy for a class of problem; `ask` resets it to the default."""

    remedy = serializers.ChoiceField(choices=[remedy.value for remedy in Remedy])
    value = serializers.CharField(
        required=False,
        max_length=MOST_CHARACTERS,
        help_text=gettext_lazy("Replacement value."),
    )
    values = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=MOST_CHARACTERS),
        required=False,
        help_text=gettext_lazy("Replacement for each value. Empty: skip the row."),
    )


class ChosenSerializer(serializers.Serializer[Any]):
    """Options for all files.

    Authors of responses that do not name one (`origins`: by the key of each system), what is
    dropped, and whether summaries get degraded copies.
    """

    origin = serializers.ChoiceField(
        choices=Origin.choices, required=False, allow_blank=True, default=""
    )
    origins = serializers.DictField(
        child=serializers.ChoiceField(choices=Origin.choices),
        required=False,
    )
    drops_citations = serializers.BooleanField(default=False)
    drops_passages = serializers.BooleanField(default=False)
    makes_copies = serializers.BooleanField(default=False)
    citation_forms = serializers.ListField(
        child=serializers.ChoiceField(choices=sorted(FORMS | OPTIONAL)),
        required=False,
        max_length=len(FORMS | OPTIONAL),
        help_text=gettext_lazy("Marks that count as citations. Others stay plain text."),
    )
    remedies = serializers.DictField(
        child=RemedySerializer(),
        required=False,
        help_text=gettext_lazy("Remedies, by problem code in the report."),
    )


@contextmanager
def said_plainly() -> Iterator[None]:
    """Answer what is no refusal of the domain, which Resource answers."""
    try:
        yield
    except ValidationError as error:
        raise DomainRefusal(" ".join(error.messages), status=400) from error
    except NothingToCheck as error:
        raise DomainRefusal(error) from error


class OfUpload(Resource):
    acts = {"POST": Act.EDIT}

    def upload(self, pk: int) -> CorpusUpload:
        return upload_for(self.person, pk=pk)

    def as_it_stands(self, pk: int, *, status: int = 200) -> Answer:
        return Answer(UploadSerializer(self.upload(pk)).data, status=status)


class Uploads(Resource):
    """List your uploads; start one."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(operation_id="uploads", responses=UploadLineSerializer(many=True))
    def get(self, request: Request) -> Answer:
        """List your uploads."""
        rows = CorpusUpload.objects.filter(owner=self.person).select_related("corpus")
        return Answer(UploadLineSerializer(rows, many=True).data)

    @extend_schema(
        operation_id="begin_upload", request=NewUploadSerializer, responses={201: UploadSerializer}
    )
    def post(self, request: Request) -> Answer:
        """Start an upload."""
        wanted = understood(NewUploadSerializer, request.data)
        slug = wanted.pop("corpus", "")
        corpus: Corpus | None = None
        if slug:
            corpus = access.corpus_for(self.person, slug=slug, may=Act.EDIT)
        with said_plainly():
            upload = gathering.begin(owner=self.person, corpus=corpus, **wanted)
        return Answer(UploadSerializer(upload).data, status=201)


class OneUpload(OfUpload):
    """Return an upload with its files, progress and report."""

    acts = {"GET": Act.VIEW}

    @extend_schema(operation_id="upload", responses=UploadSerializer)
    def get(self, request: Request, pk: int) -> Answer:
        return self.as_it_stands(pk)


class Files(OfUpload):
    """Upload files (multipart, field `files`). A file with the same name is replaced."""

    parser_classes = (MultiPartParser,)
    takes_files = True  # what annotation.fieldwork.pages.refusal_middleware asks

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Whatever reads the body writes the files to the disk."""
        self.arriving = request_files.ArrivingFiles(request)
        request.upload_handlers = [self.arriving]
        return super().initialize_request(request, *args, **kwargs)

    @extend_schema(
        operation_id="send_files", request={"multipart/form-data": FilesSerializer},
        responses=SentSerializer,
    )  # fmt: skip
    def post(self, request: Request, pk: int) -> Answer:
        upload = self.upload(pk)
        with said_plainly():
            if request_files.is_too_large(request._request):
                raise upload_too_large()
            files = request_files.arrived(request, "files")
            if self.arriving.has_stopped:
                raise upload_too_large()
            if not files:
                raise DomainRefusal("Send at least one file, in the field “files”.", status=400)
            left_out = gathering.add_files(upload=upload, files=files)
        return Answer(SentSerializer(self.upload(pk), context={"left_out": left_out}).data)


class OneFile(OfUpload):
    """Set the kind of rows of a file, or the column of each field."""

    @extend_schema(operation_id="read_file", request=ReadSerializer, responses=UploadSerializer)
    def post(self, request: Request, pk: int, file: int) -> Answer:
        upload, wanted = self.upload(pk), understood(ReadSerializer, request.data)
        choices = {name: f"column:{column}" for name, column in wanted.get("columns", {}).items()}
        choices |= {name: f"all:{value}" for name, value in wanted.get("all", {}).items()}
        choices |= dict.fromkeys(wanted.get("number", []), "number:")
        opening = {n: wanted[n] for n in OPENING if n in wanted}
        with said_plainly():
            if opening:
                gathering.reopen(upload=upload, pk=file, **opening)
            if "kind" in wanted:
                gathering.say_kind(upload=upload, pk=file, kind=wanted["kind"])
            if choices:
                gathering.map_columns(upload=upload, pk=file, said=choices)
        return self.as_it_stands(pk)


class Remove(OfUpload):
    """Delete a file. Deleting it again is no error."""

    @extend_schema(operation_id="remove_file", request=None, responses=UploadSerializer)
    def post(self, request: Request, pk: int, file: int) -> Answer:
        with said_plainly():
            gathering.remove_file(upload=self.upload(pk), pk=file)
        return self.as_it_stands(pk)


class UploadCheck(OfUpload):
    """Check the files in the background. The report lists all rows with problems."""

    @extend_schema(
        operation_id="check_upload", request=ChosenSerializer, responses={202: UploadSerializer}
    )
    def post(self, request: Request, pk: int) -> Answer:
        upload, wanted = self.upload(pk), understood(ChosenSerializer, request.data)
        if upload.state != CorpusUpload.State.CHECKING:  # else asked twice
            remedies = wanted.pop("remedies", None)
            with said_plainly():
                if remedies:
                    gathering.choose_remedies(upload=upload, remedies=remedies)
                gathering.choose(upload=upload, **wanted)
                upload.refresh_from_db()
                checking.ask_to_check(upload=upload, task=work_on_upload)
        return self.as_it_stands(pk, status=202)


class Import(OfUpload):
    """Import the checked files in the background, all of them or none."""

    @extend_schema(operation_id="import_upload", request=None, responses={202: UploadSerializer})
    def post(self, request: Request, pk: int) -> Answer:
        with said_plainly():
            checking.ask_to_import(upload=self.upload(pk), task=work_on_upload)
        return self.as_it_stands(pk, status=202)


class Discard(OfUpload):
    """Delete an upload with its files. Imported rows stay."""

    @extend_schema(operation_id="discard_upload", request=None, responses={204: None})
    def post(self, request: Request, pk: int) -> Answer:
        with said_plainly():
            gathering.discard(upload=self.upload(pk))
        return Answer(status=204)


class MaySend(Resource):
    """True if somebody is known: the proxy asks before it takes a large body."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Answer:
        return Answer(status=204)
