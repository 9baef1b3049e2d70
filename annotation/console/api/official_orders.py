"""API of official orders of the systems of a corpus: list and import."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.corpora.importing_orders import CannotImportOrder, import_order
from annotation.corpora.official_orders import matched_orders
from annotation.models import OfficialOrder
from annotation.people import access
from annotation.people.access import Act

MOST_CONTENT = 500_000  # characters; longer files come by page or command


class OfficialOrderSerializer(serializers.Serializer[Any]):
    """An official order with its matched systems or responses, unmatched names, and gaps."""

    name = serializers.CharField(source="order.name")
    measure = serializers.CharField(source="order.measure")
    better = serializers.CharField(source="order.better")
    matched = serializers.ListField(child=serializers.CharField())
    unmatched = serializers.ListField(child=serializers.CharField())
    without = serializers.ListField(child=serializers.CharField())


class LeaderboardSerializer(serializers.Serializer[Any]):
    content = serializers.CharField(trim_whitespace=False, max_length=MOST_CONTENT)
    file = serializers.CharField(required=False, allow_blank=True, max_length=200)
    name = serializers.CharField(required=False, allow_blank=True, max_length=200)
    measure = serializers.CharField(required=False, allow_blank=True, max_length=200)
    better = serializers.ChoiceField(choices=OfficialOrder.Better.values, required=False)


class OfficialOrders(Resource):
    """List the official orders of a corpus, or import one from the text of a file."""

    acts = {"GET": Act.VIEW, "POST": Act.EDIT}

    @extend_schema(operation_id="official_orders", responses=OfficialOrderSerializer(many=True))
    def get(self, request: Request, slug: str) -> Answer:
        """List the official orders of a corpus."""
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        return Answer(OfficialOrderSerializer(matched_orders(corpus), many=True).data)

    @extend_schema(
        operation_id="import_official_order",
        request=LeaderboardSerializer,
        responses={201: OfficialOrderSerializer},
    )
    def post(self, request: Request, slug: str) -> Answer:
        """Import an official order from the text of a file."""
        corpus = access.corpus_for(self.person, slug=slug, may=self.act)
        wanted = understood(LeaderboardSerializer, request.data)
        try:
            order = import_order(corpus=corpus, text=wanted.pop("content"), **wanted)
        except CannotImportOrder as refused:
            more = {"field": refused.field, "choices": list(refused.choices)}
            raise DomainRefusal(refused, status=refused.status, more=more) from refused
        (matched,) = (one for one in matched_orders(corpus) if one.order.pk == order.pk)
        return Answer(OfficialOrderSerializer(matched).data, status=201)
