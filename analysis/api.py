"""The programming interface for researchers: studies and findings as JSON, read only."""

from typing import Any

from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.results import findings_json
from analysis.results.pages import pool_asked_for
from annotation import access
from annotation.access import Act
from annotation.models import Study
from annotation.studies import progress


class StudySerializer(serializers.ModelSerializer[Study]):
    corpus = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    places = serializers.SerializerMethodField()

    class Meta:
        model = Study
        fields = ("slug", "version", "title", "kind", "corpus", "launched_at", "places")

    def get_places(self, study: Study) -> list[dict[str, Any]]:
        """Places of each batch: all, done, at work."""
        return [
            {
                "batch": each.batch.name,
                "state": each.batch.state,
                "places": each.places,
                "done": each.done,
                "working": each.working,
            }
            for each in progress.batches_of(study)
        ]


@api_view(["GET"])
def studies(request: Request) -> Response:
    rows = access.visible_studies(request.user).latest_versions()
    return Response(StudySerializer(rows, many=True).data)


@api_view(["GET"])
def study_findings(request: Request, slug: str, version: int) -> Response:
    """The findings of the newest finished run of people, or of another `pool`, in the layout of
    `analyse --json`."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    run = study.runs.newest_finished(pool_asked_for(request))
    if run is None:
        raise NotFound(f"Study {study.slug} has not been analysed yet.")
    return Response(findings_json.as_json(run))
