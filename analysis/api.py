"""The programming interface of what studies mean: analyses, findings, exports.

What computes is imported when it is asked for: every command reads this file (analysis.urls).
"""

from typing import Any

from django.db import transaction
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from analysis.inputs.settings import PEOPLE, UnknownCompat
from analysis.models import AnalysisRun
from annotation import jobs
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.translation import translated_error
from judging.raters.pools import UnknownPool

POOL = OpenApiParameter("pool", str, description="Raters. Default: people.")
FILE_TYPES = ("application/gzip", "application/zip", "text/csv", "text/plain")
LIST_OF_NAMES = {"type": "array", "items": {"type": "string"}}


class RunSerializer(serializers.ModelSerializer[AnalysisRun]):
    class Meta:
        model = AnalysisRun
        fields = ("id", "state", "pool", "compat", "parameters", "created_at", "finished_at")


@extend_schema_serializer(
    description="Raters to read, the published pipeline (if any), and whether MACE includes "
    "LLM judges."
)
class AskedSerializer(serializers.Serializer[Any]):
    """Pool of raters and published pipeline of a requested analysis."""

    pool = serializers.CharField(default=PEOPLE, max_length=200)
    compat = serializers.CharField(default="", allow_blank=True, max_length=200)
    with_machines = serializers.BooleanField(default=False)


class Findings(Resource):
    """Findings of the newest finished run of a pool of raters."""

    @extend_schema(
        operation_id="findings",
        description="Return the findings of the newest finished analysis, in the layout of "
        "`analyse --json`. Default raters: people.",
        responses=OpenApiTypes.OBJECT,
        parameters=[POOL],
    )
    def get(self, request: Request, slug: str, version: int) -> Answer:
        from analysis.pages.results import findings_json
        from analysis.pages.results.pages import pool_asked_for

        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        run = study.runs.newest_finished(pool_asked_for(request))
        if run is None:
            raise NotFound(f"Study {study.slug} has not been analysed yet.")
        return Answer(findings_json.as_json(run))


class Runs(Resource):
    """List the analyses of a study, newest first; start one."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="runs", responses=RunSerializer(many=True))
    def get(self, request: Request, slug: str, version: int) -> Answer:
        """List the analyses of a study, newest first."""
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return Answer(RunSerializer(study.runs.newest_first()[:50], many=True).data)

    @extend_schema(
        operation_id="analyse",
        description="Start an analysis in the background. Poll the runs or the findings.",
        request=AskedSerializer,
        responses={202: RunSerializer(many=True)},
    )
    def post(self, request: Request, slug: str, version: int) -> Answer:
        """Request an analysis, which a worker starts."""
        from analysis.runs import requesting
        from analysis.runs.running import NothingToAnalyse
        from analysis.tasks import answer_request

        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        wanted = understood(AskedSerializer, request.data)
        try:
            with transaction.atomic():
                requesting.ask(study=study, **wanted)
                access.record(
                    user=self.person,
                    act="started an analysis",
                    what=requesting.request_title(**wanted),
                    of=study,
                )
        except (UnknownPool, UnknownCompat) as error:
            raise DomainRefusal(error, status=400) from error
        except NothingToAnalyse as error:
            raise DomainRefusal(error) from error
        jobs.send_after_commit(answer_request, study.pk)
        return Answer(RunSerializer(study.runs.newest_first()[:50], many=True).data, status=202)


class SettingsSerializer(serializers.Serializer[Any]):
    """Settings of later analyses, by name or nested as in runs."""

    settings = serializers.DictField(allow_empty=True)


class Settings(Resource):
    """Return the analysis settings of a study. Missing settings have their defaults."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="analysis_settings", responses=SettingsSerializer)
    def get(self, request: Request, slug: str, version: int) -> Answer:
        from analysis.inputs.parameters import flat

        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return Answer({"settings": flat(study.analysis)})

    @extend_schema(
        operation_id="set_analysis_settings",
        request=SettingsSerializer,
        responses=SettingsSerializer,
    )
    def post(self, request: Request, slug: str, version: int) -> Answer:
        """Replace all analysis settings. They apply to later analyses."""
        from analysis.inputs.parameters import BadParameter, flat, unnested
        from analysis.runs.adjusting import adjust

        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        wanted = understood(SettingsSerializer, request.data)
        try:
            with transaction.atomic():
                changed = adjust(study=study, given=unnested(wanted["settings"]))
                if changed:
                    access.record(
                        user=self.person,
                        act="changed analysis settings",
                        what=", ".join(changed),
                        of=study,
                    )
        except BadParameter as error:
            fault = {"path": error.name, "sentence": error.sentence}
            raise DomainRefusal(error, status=400, faults=[fault]) from error
        return Answer({"settings": flat(study.analysis)})


class Exports(Resource):
    """List the files that a study can export now."""

    @extend_schema(operation_id="exports", responses={200: LIST_OF_NAMES})
    def get(self, request: Request, slug: str, version: int) -> Answer:
        from analysis.exports.catalogue import offered
        from analysis.exports.source import ExportSource
        from analysis.exports.zip_file import BUNDLE

        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        files = offered(ExportSource.of(study))
        return Answer([*files, BUNDLE] if files else [])


class Export(Resource):
    """Download a file of the export. `export.zip` contains all files."""

    acts = {"GET": Act.EXPORT}

    @extend_schema(
        operation_id="export",
        responses={(200, media): bytes for media in FILE_TYPES},
        parameters=[POOL, OpenApiParameter("secret", str, enum=["yes"])],
    )
    def get(self, request: Request, slug: str, version: int, name: str) -> HttpResponseBase:
        from analysis.exports.catalogue import UnknownFile
        from analysis.exports.source import CannotExport
        from analysis.pages.exports import views as export_views
        from analysis.pages.results.pages import pool_asked_for

        secret = access.wants_secret(request)
        act = Act.MANAGE if secret else self.act
        study = access.study_for(self.person, slug=slug, version=version, may=act)
        pool = pool_asked_for(request)
        try:
            return export_views.file_of(study, name, user=self.person, pool=pool, secret=secret)
        except UnknownFile as error:
            raise NotFound(translated_error(error)) from error
        except CannotExport as error:
            raise DomainRefusal(error) from error
