"""API of the codebooks of a study's team: list, import, download."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.resource import Resource, understood
from annotation.people import access
from annotation.people.access import Act
from judging.coding import codebook_files, saving_codebooks
from judging.coding.starting import newest_versions
from judging.pages.coding_pages import codebook_answer


class CodebookSerializer(serializers.Serializer[Any]):
    """The newest version of a codebook; `id` identifies the codebook."""

    id = serializers.IntegerField(source="codebook_id")
    name = serializers.CharField(source="codebook.name")
    version = serializers.IntegerField(source="number")
    codes = serializers.IntegerField(source="codes.count")


class CodebookFileSerializer(serializers.Serializer[Any]):
    """A codebook file (JSON or CSV) as text. A changed codebook becomes a new version."""

    content = serializers.CharField(trim_whitespace=False, max_length=codebook_files.LIMIT)
    name = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=200,
        help_text=gettext_lazy("Default: the name in the file."),
    )


class Codebooks(Resource):
    """List the codebooks of the study's team, or import one."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(operation_id="codebooks", responses=CodebookSerializer(many=True))
    def get(self, request: Request, slug: str, version: int) -> Answer:
        """List the codebooks of the study's team."""
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return Answer(CodebookSerializer(newest_versions(study), many=True).data)

    @extend_schema(
        operation_id="import_codebook",
        request=CodebookFileSerializer,
        responses=CodebookSerializer,
    )
    def post(self, request: Request, slug: str, version: int) -> Answer:
        """Import a codebook."""
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        data = understood(CodebookFileSerializer, request.data)
        file = codebook_files.read(data["content"].encode(errors="replace"))
        saved = saving_codebooks.save(
            team=study.team,
            file=file,
            by=self.person,
            now=database_now(),
            name=file.name or data["name"],
        )
        return Answer(CodebookSerializer(saved).data, status=201)


class CodebookFileResource(Resource):
    """Download the newest version of a codebook as JSON, or as CSV with `as=csv`."""

    acts = {"GET": Act.EXPORT}

    @extend_schema(
        operation_id="codebook_file",
        responses=OpenApiTypes.BINARY,
        parameters=[OpenApiParameter("as", str, enum=list(codebook_files.FORMATS))],
    )
    def get(self, request: Request, slug: str, version: int, pk: int) -> HttpResponse:
        study = access.study_for(self.person, slug=slug, version=version, may=Act.VIEW)
        return codebook_answer(study, pk, request.query_params.get("as", "json"))
