"""API of proposed queries: rounds, proposals, decisions."""

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.clock import database_now
from annotation.console.api.corpora import PAGE
from annotation.console.api.resource import DomainRefusal, Resource, page_of, paged, understood
from annotation.people import access
from annotation.people.access import Act
from judging.models import ProposedQuery, QueryRound
from judging.queries import deciding, files
from judging.queries.deciding import CannotDecide, DecidedQueries

STATE = OpenApiParameter("state", str, enum=ProposedQuery.State.values)
MOST = 10_000  # decided on by one request
MOST_ID = 2**63 - 1


class QueryRoundSerializer(serializers.ModelSerializer[QueryRound]):
    prompt = serializers.StringRelatedField[Any]()

    class Meta:
        model = QueryRound
        fields = ("id", "name", "state", "said", "model", "prompt", "number", "made_at")
        extra_kwargs = {
            "said": {"help_text": "Reason for a pause."},
            "number": {"help_text": "Maximum queries per passage."},
        }


class ProposalSerializer(serializers.BaseSerializer[ProposedQuery]):
    """A row of the files."""

    def to_representation(self, instance: ProposedQuery) -> files.Row:
        return files.row(instance)


class DecisionSerializer(serializers.Serializer[Any]):
    """`text` replaces the wording of an accepted proposal; accept only one at a time."""

    do = serializers.ChoiceField(choices=["accept", "reject", "back"])
    proposals = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=MOST_ID), max_length=MOST
    )
    text = serializers.CharField(required=False, max_length=10_000)


class DecidedSerializer(serializers.Serializer[DecidedQueries]):
    """Numbers of decided proposals, of existing topics, and of those that others decided first."""

    done = serializers.IntegerField()
    same = serializers.IntegerField()
    late = serializers.IntegerField()


ROW = serializers.DictField()  # the columns of the file
PROPOSALS = page_of(serializers.ListField(child=ROW), "ProposalPage")


class Rounds(Resource):
    """List the query rounds of a corpus."""

    @extend_schema(operation_id="query_rounds", responses=QueryRoundSerializer(many=True))
    def get(self, request: Request, slug: str) -> Answer:
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        rows = QueryRound.objects.filter(corpus=corpus).select_related("prompt").order_by("pk")
        return Answer(QueryRoundSerializer(rows, many=True).data)


class Proposals(Resource):
    """List proposed queries with their origin; accept, reject or reset some."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(
        operation_id="proposals",
        responses=PROPOSALS,
        parameters=[PAGE, STATE],
    )
    def get(self, request: Request, slug: str) -> Answer:
        """List proposed queries with their origin."""
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        state = request.query_params.get("state", "")
        known_state = state if state in ProposedQuery.State.values else ""
        return paged(request, files.proposals(corpus, state=known_state), ProposalSerializer)

    @extend_schema(
        operation_id="decide_proposals", request=DecisionSerializer, responses=DecidedSerializer
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Accept, reject or reset proposed queries."""
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        data = understood(DecisionSerializer, request.data)
        about: Any = {"corpus": corpus, "proposals": data["proposals"], "by": self.person}
        try:
            if "text" in data and data["do"] == "accept":
                if len(data["proposals"]) != 1:
                    raise CannotDecide("one_text_one_query", "Send a text for one proposal only.")
                deciding.edit(
                    corpus=corpus,
                    proposal=data["proposals"][0],
                    text=data["text"],
                    by=self.person,
                )
        except CannotDecide as error:
            raise DomainRefusal(error) from error
        if data["do"] == "back":
            done = deciding.take_back(**about)
        elif data["do"] == "accept":
            done = deciding.accept(**about, now=database_now())
        else:
            done = deciding.reject(**about, now=database_now())
        return Answer(DecidedSerializer(done).data)
