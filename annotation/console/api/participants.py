"""Participants for programs: erasing a participant's data on request."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.fieldwork.consenting import erasing_participants, erasing_study_data
from annotation.models import Study, Worker
from annotation.people import access
from annotation.people.access import Act
from annotation.refusals import Refusal


class ErasureSerializer(serializers.Serializer[erasing_participants.ErasurePreview]):
    """Preview of an erasure: the submissions, and each kind of data that would be removed."""

    worker = serializers.CharField(source="worker.pseudonym")
    submissions = serializers.IntegerField(source="works")
    erased = serializers.SerializerMethodField()
    not_reviewed = serializers.IntegerField(source="undecided")
    at_work = serializers.BooleanField()

    def get_erased(self, preview: erasing_participants.ErasurePreview) -> dict[str, int]:
        return dict(preview.counts)


@extend_schema_serializer(component_name="ErasureOrder")
class RequestSerializer(serializers.Serializer[Any]):
    """A request to erase a participant.

    `expected` is the number of submissions in the preview; if it has changed, nothing is erased.
    """

    reason = serializers.CharField(max_length=erasing_participants.MAX_REASON_LENGTH)
    expected = serializers.IntegerField(required=False, min_value=0)


class Erase(Resource):
    """Erase a participant's data on request. GET returns a preview."""

    acts = {"GET": Act.MANAGE, "POST": Act.MANAGE}

    @extend_schema(operation_id="erasure_preview", responses=ErasureSerializer)
    def get(self, request: Request, slug: str, version: int, pseudonym: str) -> Answer:
        """Preview the erasure of a participant's data."""
        study, worker = self._asked(slug, version, pseudonym)
        return Answer(
            ErasureSerializer(erasing_participants.preview(study=study, worker=worker)).data
        )

    @extend_schema(
        operation_id="erase_worker", request=RequestSerializer, responses=ErasureSerializer
    )
    def post(self, request: Request, slug: str, version: int, pseudonym: str) -> Answer:
        """Erase a participant's data on request."""
        study, worker = self._asked(slug, version, pseudonym)
        sent = understood(RequestSerializer, request.data)
        try:
            erasing_participants.erase(
                study=study,
                worker=worker,
                reason=sent["reason"],
                now=database_now(),
                user=self.person,
                expected=sent.get("expected"),
            )
        except Refusal as error:
            raise DomainRefusal(error) from error
        return Answer(
            ErasureSerializer(erasing_participants.preview(study=study, worker=worker)).data
        )

    def _asked(self, slug: str, version: int, pseudonym: str) -> tuple[Study, Worker]:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return study, get_object_or_404(erasing_study_data.people_of(study), pseudonym=pseudonym)
