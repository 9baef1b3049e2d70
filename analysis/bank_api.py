"""API of the leaderboard of a bank and of the grades on it.

Analysis code is imported on the first request, as in analysis.api.
"""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation.console.api.resource import Resource
from annotation.people import access
from annotation.people.access import Act
from judging.pages.bank_api import SECRET, bank_for

POOL = OpenApiParameter("pool", str, enum=["people", "models"])
MEASURE = OpenApiParameter("measure", str, description="Measure that orders the systems.")
REVISION = OpenApiParameter("revision", int, description="Default: the current revision.")
BEFORE = OpenApiParameter("before", int, description="Earlier revision to compare with.")
GRADE_FILES = {
    "rubric": "jsonl",
    "answers": "jsonl",
    "maximum": "qrels",
    "count": "qrels",
    "threshold": "qrels",
    "facets": "qrels",
    "entries": "qrels",
}  # names of files with their endings
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


class Agreement(Resource):
    """Return kappas of the grades on a bank with judgments of the passages themselves."""

    acts = {"GET": Act.VIEW}

    @extend_schema(
        operation_id="bank_agreement",
        responses=OpenApiTypes.OBJECT,
        parameters=[POOL, REVISION],
    )
    def get(self, request: Request, slug: str, pk: int) -> Answer:
        from analysis.pages.banks.agreement import agreement_with_judgments
        from analysis.pages.banks.board_view import choice_of

        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        return Answer(agreement_with_judgments(bank, choice_of(request)))


class Grades(Resource):
    """Export the grades on a bank. Owners can include secret entries with `secret=yes`.

    `rubric`: graded passages of Rubric. `answers`: extracted answers, checked against the correct
    ones. The others are qrels: the highest grade, the number of answered entries, 1 if an entry is
    covered, the highest grade of each facet, or each grade with its entry as the iteration.
    """

    acts = {"GET": Act.EXPORT}

    @extend_schema(
        operation_id="bank_grades",
        responses=OpenApiTypes.BINARY,
        parameters=[OpenApiParameter("as", str, enum=list(GRADE_FILES)), POOL, SECRET],
    )
    def get(self, request: Request, slug: str, pk: int) -> HttpResponse:
        from analysis.exports.bank_passages import grade_lines

        secret = access.wants_secret(request)
        bank = bank_for(self.person, slug=slug, pk=pk, may=Act.MANAGE if secret else self.act)
        name = request.query_params.get("as", "rubric")
        pool = request.query_params.get("pool", "")
        if name not in GRADE_FILES or pool not in ("", "people", "models"):
            raise ValidationError({"as": f"Choose one of {', '.join(GRADE_FILES)}."})
        if secret:
            access.record_secret(user=self.person, what=f"grades of bank {bank.pk}", of=bank)
        content = b"".join(grade_lines(bank, name, pool=pool, secret=secret))
        answer = HttpResponse(content, content_type="text/plain; charset=utf-8")
        file = f"{slug}-{name}.{GRADE_FILES[name]}"
        answer["Content-Disposition"] = f'attachment; filename="{file}"'
        return answer


class ImpactOfDecisions(Resource):
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
