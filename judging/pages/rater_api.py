"""API of raters and imported labels."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.corpora import PAGE
from annotation.console.api.resource import DomainRefusal, Resource, page_of, paged, understood
from annotation.corpora.schema import BadLine
from annotation.corpora.uploads import request_files
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal
from annotation.texts.untrusted import storable
from judging.labels import importing_files
from judging.labels.checking import (
    check_as_json,
    check_labels,
    foreign_as_json,
    import_as_json,
    lines_as_json,
)
from judging.labels.files import TooManyLines
from judging.labels.importing import LabelsRefused
from judging.labels.importing_files import RUBRIC, LabelChoices, LabelFile
from judging.labels.problems import PROBLEMS, problems_as_json, remedies_of
from judging.labels.rubric import Grader
from judging.labels.rubric_importing import CannotImport
from judging.labels.values import BadMapping, ValueMapping
from judging.models import Rater
from judging.raters.counts import counted, raters_of
from judging.raters.registering import BadRater

MOST_VALUES = 1_000  # of a file that are mapped


class RaterSerializer(serializers.ModelSerializer[Rater]):
    """A rater. `pseudonym` is used in files, analyses and `?pool=`; `imported` counts labels."""

    answers = serializers.IntegerField()
    items = serializers.IntegerField()
    imported = serializers.IntegerField()

    class Meta:
        model = Rater
        fields = (
            "pseudonym", "name", "kind", "model", "prompt_version", "settings",
            "answers", "items", "imported",
        )  # fmt: skip


class LabelsSerializer(serializers.Serializer[Any]):
    # The OpenAPI document has this text with its line breaks.
    __doc__ = (
        "Labels to import: a `file`, or a label file of the study's corpus by name (`stored`).\n"
        "`kind` is the rater: a person (`expert`), a model, a crowd, the raters in the file\n"
        "(`named`) or the graders of a Rubric file. `question` is the default for rows without a\n"
        "question; `unknown`, the remedy for labels without an item. `values` maps values of the\n"
        "file to answers, such as `3=2`; `-1=` skips the labels. `asks` maps names of the file to\n"
        "questions, such as `pw=better`. `remedies` are chosen by the code of a problem, such as\n"
        "`contradiction=skip`. With `check`, nothing is saved: the response previews the import\n"
        "and lists problems with their remedies."
    )

    file = serializers.FileField(allow_empty_file=True, required=False)
    stored = serializers.CharField(required=False, allow_blank=True, max_length=200)
    check = serializers.BooleanField(default=False)
    kind = serializers.ChoiceField(choices=["expert", "model", *importing_files.NAMED, RUBRIC])
    name = serializers.CharField(default="", allow_blank=True, max_length=200)
    model = serializers.CharField(default="", allow_blank=True, max_length=100)
    prompt_version = serializers.CharField(default="", allow_blank=True, max_length=100)
    settings = serializers.CharField(default="", allow_blank=True, max_length=300)
    question = serializers.CharField(default="", allow_blank=True, max_length=200)
    unknown = serializers.ChoiceField(choices=["refuse", "leave", "make"], default="refuse")
    values = serializers.ListField(
        child=serializers.CharField(max_length=500), default=list, max_length=MOST_VALUES
    )
    asks = serializers.ListField(
        child=serializers.CharField(max_length=500), default=list, max_length=MOST_VALUES
    )
    remedies = serializers.ListField(
        child=serializers.CharField(max_length=100), default=list, max_length=len(PROBLEMS)
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if ("file" in data) == bool(data.get("stored")):
            message = gettext("Send “file” or “stored”.")
            raise serializers.ValidationError({"file": [message]})
        return data


RATERS = page_of(RaterSerializer(many=True), "RaterPage")


class Raters(Resource):
    """List the raters of a study: models and experts first, then the crowd."""

    @extend_schema(operation_id="raters", responses=RATERS, parameters=[PAGE])
    def get(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(
            self.person, slug=slug, version=version, may=self.act, kind=Study.Kind.JUDGING
        )
        return paged(request, raters_of(study), RaterSerializer, shown=partial(counted, study))


class LabelsOfStudy(Resource):
    """Import labels from a file (multipart). If a row has a problem, nothing is saved.

    Importing the same file again changes nothing. A refusal contains the number of `bad` lines, the
    first 100 of them, and the problems with their remedies.
    """

    acts = {"POST": Act.RUN}
    parser_classes = (MultiPartParser,)
    takes_files = True  # what annotation.fieldwork.pages.refusal_middleware asks

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Write the uploaded file to disk before the body is read."""
        self.arriving = request_files.ArrivingFiles(request, most=importing_files.MOST_BYTES)
        request.upload_handlers = [self.arriving]
        return super().initialize_request(request, *args, **kwargs)

    @extend_schema(
        operation_id="bring_labels",
        request={"multipart/form-data": LabelsSerializer},
        responses=OpenApiTypes.OBJECT,
    )
    def post(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(
            self.person, slug=slug, version=version, may=self.act, kind=Study.Kind.JUDGING
        )
        if request_files.is_too_large(request._request, most=importing_files.MOST_BYTES):
            raise DomainRefusal(importing_files.too_large(), status=413)
        try:
            data = request.data
        except Refusal as full:
            raise DomainRefusal(str(full), status=full.status) from full
        if self.arriving.has_stopped:
            raise DomainRefusal(importing_files.too_large(), status=413)
        fields = understood(LabelsSerializer, data)
        try:
            return Answer(self._import(study, fields))
        except LabelsRefused as error:
            report = error.report
            more = foreign_as_json(report)
            more["questions"] = more.pop("foreign_questions")
            more["problems"] = problems_as_json(report.problems, report.remedies)
            raise _refused(error, report.bad_lines, report.bad_line_count, more) from error
        except CannotImport as error:
            raise _refused(error, error.lines, error.count) from error
        except (BadRater, BadMapping, TooManyLines) as error:
            raise DomainRefusal(error, status=400) from error

    def _import(self, study: Study, fields: dict[str, Any]) -> dict[str, Any]:
        """Import or check labels; return the report."""
        choices = _choices(fields)
        how: dict[str, Any] = {"study": study, "by": self.person, "now": database_now()}
        with _file(study, fields) as file:
            if fields["check"]:
                result = check_labels(file=file, choices=choices, **how)
                return check_as_json(result, choices.remedies)
            return import_as_json(importing_files.bring(file=file, choices=choices, **how))


def _choices(fields: dict[str, Any]) -> LabelChoices:
    """Return the choices of a request. Raises BadMapping."""
    named = ("name", "kind", "model", "prompt_version", "settings")
    return LabelChoices(
        grader=Grader(**{name: fields[name] for name in named}),
        question=fields["question"],
        unknown=fields["unknown"],
        values=ValueMapping.of(fields["values"], fields["asks"]),
        remedies=remedies_of(remedy.partition("=")[::2] for remedy in fields["remedies"]),
    )


@contextmanager
def _file(study: Study, fields: dict[str, Any]) -> Iterator[LabelFile]:
    """Yield the file that was sent, or the labels of the corpus. Raises DomainRefusal."""
    if "file" in fields:
        file = fields["file"]
        path, name = Path(file.temporary_file_path()), storable(file.name)
        yield LabelFile(path, name, importing_files.BOUNDS)
        return
    labels = importing_files.labels_of_corpus(study, fields["stored"])
    if labels is None:
        message = gettext("The corpus has no label file “{name}”.")
        raise DomainRefusal(message.format(name=fields["stored"]), status=400)
    with importing_files.stored_labels(labels) as stored:
        yield stored


def _refused(
    error: Exception, lines: list[BadLine], count: int, more: dict[str, Any] | None = None
) -> DomainRefusal:
    body = {"bad": count, "lines": lines_as_json(lines), **(more or {})}
    return DomainRefusal(error, status=400, more=body)
