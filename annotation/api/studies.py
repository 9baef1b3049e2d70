"""Studies for programs: what there is, how each is doing, its batches opened and closed."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.db import transaction
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import access
from annotation.access import Act
from annotation.api.resource import Refused, Resource
from annotation.models import Batch, Study
from annotation.studies import batching, progress


class PlacesSerializer(serializers.Serializer[progress.BatchProgress]):
    """Places of a batch: all, done, at work."""

    batch = serializers.CharField(source="batch.name")
    number = serializers.IntegerField(source="batch.number")
    state = serializers.CharField(source="batch.state")
    places = serializers.IntegerField()
    done = serializers.IntegerField()
    working = serializers.IntegerField()


class StudySerializer(serializers.ModelSerializer[Study]):
    corpus = serializers.SlugRelatedField[Any](slug_field="slug", read_only=True)
    places = serializers.SerializerMethodField()
    link = serializers.CharField(source="worker_link", read_only=True)

    class Meta:
        model = Study
        fields = ("slug", "version", "title", "kind", "corpus", "launched_at", "places", "link")

    def get_places(self, study: Study) -> list[dict[str, Any]]:
        return [PlacesSerializer(each).data for each in progress.batches_of(study)]


class ProgressSerializer(serializers.Serializer[Study]):
    """The study, how many reached each step, and how long they took (seconds)."""

    study = StudySerializer(source="*")
    funnel = serializers.SerializerMethodField()
    seconds = serializers.SerializerMethodField()

    def get_funnel(self, study: Study) -> dict[str, int]:
        return asdict(progress.funnel_of(study))

    def get_seconds(self, study: Study) -> dict[str, float | None]:
        return asdict(progress.times_of(study))


class Studies(Resource):
    """The newest version of each study that you may see."""

    @extend_schema(operation_id="studies", responses=StudySerializer(many=True))
    def get(self, request: Request) -> Answer:
        rows = access.visible_studies(self.person).latest_versions()
        return Answer(StudySerializer(rows, many=True).data)


class OneStudy(Resource):
    """How a study is doing."""

    @extend_schema(operation_id="study", responses=ProgressSerializer)
    def get(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return Answer(ProgressSerializer(study).data)


class BatchAct(Resource):
    """Do something with a batch; the answer is the study as it is then."""

    acts = {"POST": Act.RUN}
    done = ""  # in the past tense, for the audit log

    def do(self, batch: Batch, now: datetime) -> None:
        raise NotImplementedError

    @extend_schema(request=None, responses=StudySerializer)
    def post(self, request: Request, slug: str, version: int, number: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        batch = get_object_or_404(study.batches, number=number)
        try:
            with transaction.atomic():
                self.do(batch, timezone.now())
                access.record(user=self.person, act=self.done, what=batch.name, of=study)
        except batching.NotReady as error:
            raise Refused(error) from error
        study.refresh_from_db()
        return Answer(StudySerializer(study).data)


class OpenBatch(BatchAct):
    """Let workers into a draft batch."""

    done = "opened a batch"

    def do(self, batch: Batch, now: datetime) -> None:
        batching.open_batch(batch=batch, now=now)


class CloseBatch(BatchAct):
    """Let nobody in any more; those at work may finish, and the analysis starts."""

    done = "closed a batch"

    def do(self, batch: Batch, now: datetime) -> None:
        batching.close_batch(batch=batch, now=now)
