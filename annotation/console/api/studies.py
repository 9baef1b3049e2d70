"""Studies for programs: what there is, how each is doing, its batches opened and closed."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs, tasks
from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource
from annotation.models import Batch, Study
from annotation.people import access
from annotation.people.access import Act
from annotation.studies import act_effects, batching, progress
from annotation.studies import batch_acts as batch_acts
from annotation.studies.creating import RefusedSetting


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
        return [PlacesSerializer(batch).data for batch in progress.batches_of(study)]


class ProgressSerializer(serializers.Serializer[Study]):
    """A study with its funnel and working times in seconds."""

    study = StudySerializer(source="*")
    funnel = serializers.SerializerMethodField()
    seconds = serializers.SerializerMethodField()

    def get_funnel(self, study: Study) -> dict[str, int]:
        return asdict(progress.funnel_of(study))

    def get_seconds(self, study: Study) -> dict[str, float | None]:
        return asdict(progress.times_of(study))


class Studies(Resource):
    """List the newest version of each study that you can see."""

    @extend_schema(operation_id="studies", responses=StudySerializer(many=True))
    def get(self, request: Request) -> Answer:
        rows = access.visible_studies(self.person).latest_versions()
        return Answer(StudySerializer(rows, many=True).data)


class OneStudy(Resource):
    """Return a study with its progress."""

    @extend_schema(operation_id="study", responses=ProgressSerializer)
    def get(self, request: Request, slug: str, version: int) -> Answer:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        return Answer(ProgressSerializer(study).data)


class EffectSerializer(serializers.Serializer[Any]):
    """Effects of an action: sentences and the changed batch.

    `asks` lists reasons to reconsider; if there are any, the action needs `confirmed`. `stamp`
    identifies the preview: an action sent with it is refused if the batch has changed.
    """

    says = serializers.ListField(child=serializers.CharField())
    asks = serializers.ListField(child=serializers.CharField())
    stamp = serializers.CharField()
    tasks = serializers.IntegerField(source="after.tasks")
    places = serializers.IntegerField(source="after.places")
    hours = serializers.FloatField(source="after.hours")
    cost = serializers.DecimalField(source="after.cost.total", max_digits=12, decimal_places=2)
    fees = serializers.DecimalField(source="after.cost.fees", max_digits=12, decimal_places=2)
    currency = serializers.CharField(source="after.cost.currency")


class BatchActResource(Resource):
    """Preview or perform an action on a batch."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}
    does = ""  # the key of one of studies.acts.ACTS

    @extend_schema(responses=EffectSerializer)
    def get(self, request: Request, slug: str, version: int, number: int) -> Answer:
        """Preview an action on a batch, with the same figures (`?votes=2`). Nothing changes."""
        act, batch, arguments = self._asked(request.query_params.dict(), slug, version, number)
        try:
            effect = batch_acts.preview(act=act, batch=batch, now=database_now(), said=arguments)
        except (batching.NotReady, RefusedSetting) as error:
            raise DomainRefusal(error) from error
        seen = {
            "says": act.says(effect),
            "asks": effect.asks,
            "stamp": batching.stamp_of(batch),
            "after": effect.after,
        }
        return Answer(EffectSerializer(seen).data)

    @extend_schema(request=OpenApiTypes.OBJECT, responses=StudySerializer)
    def post(self, request: Request, slug: str, version: int, number: int) -> Answer:
        """Perform an action on a batch, once, and return the changed study.

        Some actions take figures: `terms` pay, minutes and votes (participants per task), `extend`
        and `repeat` votes, `topics` topics. Omitted figures stay, or are 1. If the preview has
        sentences in `asks`, the action is refused (409) until you send `"confirmed": true`.
        """
        act, batch, arguments = self._asked(request.data, slug, version, number)
        try:
            batch_acts.perform(
                act=act,
                batch=batch,
                user=self.person,
                now=database_now(),
                stamp=request.data.get("stamp"),
                said=arguments,
                confirmed=request.data.get("confirmed") is True,
            )
            if batch.study.recruitment == Study.Recruitment.PROLIFIC:
                jobs.send_after_commit(tasks.follow_batches, batch.study_id)
        except (batching.NotReady, RefusedSetting) as error:
            raise DomainRefusal(error) from error
        batch.study.refresh_from_db()
        return Answer(StudySerializer(batch.study).data)

    def _asked(
        self, sent: Any, slug: str, version: int, number: int
    ) -> tuple[batch_acts.BatchAct, Batch, dict[str, Any]]:
        study = access.study_for(self.person, slug=slug, version=version, may=self.act)
        batch = get_object_or_404(study.batches, number=number)
        batch.study = study
        act = batch_acts.ACTS[self.does]
        if not isinstance(sent, Mapping):
            raise DomainRefusal("Send a JSON object of figures.", status=400)
        usual = batch_acts.usual(act, act_effects.terms_of(batch))
        try:
            return act, batch, batch_acts.parsed_arguments(act, {**usual, **sent})
        except RefusedSetting as error:
            raise serializers.ValidationError({error.name: [error.reasons]}) from error
