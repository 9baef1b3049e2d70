"""API of raters and imported labels."""

from functools import partial
from pathlib import Path
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.console.api.corpora import PAGE
from annotation.console.api.resource import DomainRefusal, Resource, page_of, paged, understood
from annotation.corpora.schema import BadLine
from annotation.corpora.uploads import request_files
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.untrusted import storable
from judging.labels import importing_files
from judging.labels.files import TooManyLines
from judging.labels.importing import LabelsRefused
from judging.labels.importing_files import BroughtLabels, LabelFile
from judging.labels.rubric import Grader
from judging.labels.rubric_importing import CannotImport
from judging.labels.saving import LabelReport
from judging.labels.values import BadMapping, ValueMapping
from judging.models import Rater
from judging.raters.counts import counted, raters_of
from judging.raters.registering import BadRater

RUBRIC = "rubric"
MOST_LINES = 100  # of an answer, as on the page
MOST_VALUES = 1_000  # of a file that are mapped


class RaterSerializer(serializers.ModelSerializer[Rater]):
    """A rater; `pseudonym` is what files, analyses and `?pool=` say, `imported` counts labels."""

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
        "A file of labels, and whose they are: a person's (`expert`), a model's, those of a crowd\n"
        "or of any raters that the file names (`named`), or of the graders of a Rubric file.\n"
        "`question` is what lines are about that name none;\n"
        "`unknown`, what becomes of labels that the study has no item for. `values` are the\n"
        "answers that values of the file mean, such as `3=2`; `-1=` leaves labels out. `asks`\n"
        "are the questions that names of the file mean, such as `pw=better`."
    )

    file = serializers.FileField(allow_empty_file=True)
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


RATERS = page_of(RaterSerializer(many=True), "RaterPage")


class Raters(Resource):
    """Who has answered in a study: models and experts first, then the crowd."""

    @extend_schema(operation_id="raters", responses=RATERS, parameters=[PAGE])
    def get(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(
            self.person, slug=slug, version=version, may=self.act, kind=Study.Kind.JUDGING
        )
        return paged(request, raters_of(study), RaterSerializer, shown=partial(counted, study))


class Labels(Resource):
    """Bring labels that were given elsewhere into a study (multipart): all of a file, or nothing.

    Sent again they change nothing. Refused, the answer has the number of `bad` lines and the first
    hundred of them.
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
        data = request.data
        if self.arriving.has_stopped:
            raise DomainRefusal(importing_files.too_large(), status=413)
        fields = understood(LabelsSerializer, data)
        try:
            brought = self._bring(study, fields)
        except LabelsRefused as error:
            foreign = {
                "values": _foreign(error.report),
                "questions": dict(error.report.foreign_questions.most_common(MOST_LINES)),
            }
            raise _refused(
                error, error.report.bad_lines, error.report.bad_line_count, foreign
            ) from error
        except CannotImport as error:
            raise _refused(error, error.lines, error.count) from error
        except (BadRater, BadMapping, TooManyLines) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(_as_json(brought))

    def _bring(self, study: Study, said: dict[str, Any]) -> BroughtLabels:
        name = storable(said["file"].name)
        file = LabelFile(Path(said["file"].temporary_file_path()), name, importing_files.BOUNDS)
        how: dict[str, Any] = {
            "study": study,
            "file": file,
            "by": self.person,
            "now": timezone.now(),
            "unknown": said["unknown"],
        }
        if said["kind"] == RUBRIC:
            return importing_files.bring_grades(**how)
        named = ("name", "kind", "model", "prompt_version", "settings")
        grader = Grader(**{name_of_field: said[name_of_field] for name_of_field in named})
        return importing_files.bring_labels(
            **how,
            grader=grader,
            question=said["question"],
            values=ValueMapping.of(said["values"], said["asks"]),
        )


def _refused(
    error: Exception, lines: list[BadLine], count: int, more: dict[str, Any] | None = None
) -> DomainRefusal:
    body = {"bad": count, "lines": _lines(lines), **(more or {})}
    return DomainRefusal(error, status=400, more=body)


def _foreign(report: LabelReport) -> list[dict[str, Any]]:
    """Return the most frequent values that are no answers."""
    return [
        {"question": question, "value": value[:500], "lines": n}
        for (question, value), n in report.foreign.most_common(MOST_LINES)
    ]


def _lines(lines: list[BadLine]) -> list[dict[str, Any]]:
    return [
        {"file": line.file, "line": line.line, "field": line.field, "reason": line.reason[:500]}
        for line in lines[:MOST_LINES]
    ]


def _as_json(brought: BroughtLabels) -> dict[str, Any]:
    """Return counts by rater; `left_out` counts what no study can hold."""
    counts = ("added", "changed", "unchanged", "of_others", "items", "remark_count")
    raters = [
        {
            "rater": rater.pseudonym,
            **{name: getattr(report, name) for name in counts},
            "remarks": _lines(report.remarks),
        }
        for rater, report in brought.reports
    ]
    return {"raters": raters, "left_out": dict(brought.left_out)}
