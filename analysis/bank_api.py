"""API of the leaderboard of a bank.

Analysis code is imported on the first request, as in analysis.api.
"""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.console.api.resource import Resource
from annotation.people.access import Act
from judging.pages.bank_api import bank_for

POOL = OpenApiParameter("pool", str, enum=["people", "models"])
MEASURE = OpenApiParameter("measure", str, description="Measure that orders the systems.")
REVISION = OpenApiParameter("revision", int, description="Default: the current revision.")
BEFORE = OpenApiParameter("before", int, description="Earlier revision to compare with.")
DEPTH = OpenApiParameter("k", int, description="Ranking depth. Default: 20.")


class Board(Resource):
    """Return the leaderboard of a bank, from the grades of all its studies."""

    acts = {"GET": Act.VIEW}

    @extend_schema(
        operation_id="bank_board",
        responses=OpenApiTypes.OBJECT,
        parameters=[POOL, MEASURE, REVISION, BEFORE, DEPTH],
    )
    def get(self, request: Request, slug: str, pk: int) -> Answer:
        from analysis.pages.banks.board_view import choice_of
        from analysis.pages.banks.boards import as_json, shown_board

        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        return Answer(as_json(shown_board(bank, choice_of(request))))


class Assignments(Resource):
    """Export the entries that each answer supports, as nuggetizer assignments (JSON Lines)."""

    acts = {"GET": Act.EXPORT}

    @extend_schema(
        operation_id="bank_assignments",
        responses=OpenApiTypes.BINARY,
        parameters=[POOL, REVISION],
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        from analysis.pages.banks.board_view import choice_of
        from analysis.pages.banks.boards import assignments

        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        lines = list(assignments(bank, choice_of(request)))
        content = "".join(f"{line}\n" for line in lines)
        answer = HttpResponse(content, content_type="application/jsonl; charset=utf-8")
        answer["Content-Disposition"] = f'attachment; filename="{slug}-assignments.jsonl"'
        return answer


class Impact(Resource):
    """Return how each possible decision on an entry would change the leaderboard."""

    acts = {"GET": Act.VIEW}

    @extend_schema(
        operation_id="bank_entry_impact",
        responses=OpenApiTypes.OBJECT,
        parameters=[POOL, MEASURE, DEPTH],
    )
    def get(self, request: Request, slug: str, pk: int, entry: int) -> Answer:
        from django.shortcuts import get_object_or_404

        from analysis.pages.banks.board_view import choice_of
        from analysis.pages.banks.impact_view import impact_json, impact_of
        from judging.banks.entries_at import entries_at

        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        get_object_or_404(bank.entries.all(), pk=entry)
        (row,) = entries_at(bank, entries=[entry])
        return Answer(impact_json(*impact_of(bank, row, choice_of(request))))
