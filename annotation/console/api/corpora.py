"""Corpora for programs: what there is, and what is in it."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.console.api.resource import Resource, page_of, paged
from annotation.models import Corpus, CorpusLabels, Passage, Response, Topic
from annotation.people import access
from annotation.texts.conversations import Speaker

PAGE = OpenApiParameter("page", int, description="100 rows per page")


class CorpusSerializer(serializers.ModelSerializer[Corpus]):
    class Meta:
        model = Corpus
        fields = ("slug", "name", "licence", "created_at")


class CorpusCountsSerializer(serializers.Serializer[Corpus]):
    """A corpus with its row counts by kind."""

    slug = serializers.CharField()
    name = serializers.CharField()
    licence = serializers.CharField()
    topics = serializers.IntegerField(source="topics.count")
    passages = serializers.SerializerMethodField()
    systems = serializers.IntegerField(source="systems.count")
    responses = serializers.IntegerField(source="responses.count")

    def get_passages(self, corpus: Corpus) -> int:
        return Passage.objects.filter(topic__corpus=corpus).count()


class TurnSerializer(serializers.Serializer[Any]):
    """A turn of a conversation."""

    role = serializers.ChoiceField(choices=[role.value for role in Speaker])
    content = serializers.CharField()


class TopicSerializer(serializers.ModelSerializer[Topic]):
    """A topic. `turns` are the earlier turns of the conversation whose last turn is `query`."""

    turns = TurnSerializer(many=True, read_only=True, allow_null=True)

    class Meta:
        model = Topic
        fields = ("key", "query", "description", "turns")


class CorpusLabelsSerializer(serializers.ModelSerializer[CorpusLabels]):
    """Labels that came with the texts of a corpus, by file name."""

    class Meta:
        model = CorpusLabels
        fields = ("name", "count", "raters", "created_at")
        extra_kwargs = {
            "name": {"help_text": "Name of the imported file."},
            "raters": {"help_text": "Number of raters in the file."},
        }


@extend_schema_serializer(component_name="CorpusResponse")
class ResponseSerializer(serializers.ModelSerializer[Response]):
    """A response. `turns` are the earlier turns if it ends a conversation."""

    topic = serializers.SlugRelatedField[Any](slug_field="key", read_only=True)
    system = serializers.SlugRelatedField[Any](slug_field="key", read_only=True, allow_null=True)

    turns = TurnSerializer(many=True, read_only=True, allow_null=True)

    class Meta:
        model = Response
        fields = (
            "key", "topic", "system", "origin", "style", "words", "text", "is_empty", "turns",
        )  # fmt: skip


TOPICS = page_of(TopicSerializer(many=True), "TopicPage")
RESPONSES = page_of(ResponseSerializer(many=True), "CorpusResponsePage")


class Corpora(Resource):
    """List the corpora that you can see."""

    @extend_schema(operation_id="corpora", responses=CorpusSerializer(many=True))
    def get(self, request: Request) -> Answer:
        rows = access.visible_corpora(self.person).order_by("slug")
        return Answer(CorpusSerializer(rows, many=True).data)


class OneCorpus(Resource):
    """Return a corpus with its row counts."""

    @extend_schema(operation_id="corpus", responses=CorpusCountsSerializer)
    def get(self, request: Request, slug: str) -> Answer:
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        return Answer(CorpusCountsSerializer(corpus).data)


class Topics(Resource):
    """List the topics of a corpus."""

    @extend_schema(operation_id="topics", responses=TOPICS, parameters=[PAGE])
    def get(self, request: Request, slug: str) -> Answer:
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        return paged(request, corpus.topics.order_by("pk"), TopicSerializer)


class Responses(Resource):
    """List the responses of a corpus with their texts."""

    @extend_schema(
        operation_id="responses",
        responses=RESPONSES,
        parameters=[PAGE],
    )
    def get(self, request: Request, slug: str) -> Answer:
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        rows = corpus.responses.select_related("topic", "system").order_by("pk")
        return paged(request, rows, ResponseSerializer)


class LabelsOfCorpus(Resource):
    """List the labels in the files of a corpus. Its studies can import them by name."""

    @extend_schema(operation_id="corpus_labels", responses=CorpusLabelsSerializer(many=True))
    def get(self, request: Request, slug: str) -> Answer:
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        rows = corpus.labels.defer("content")
        return Answer(CorpusLabelsSerializer(rows, many=True).data)
