"""Recording a model's queries as proposals, which wait for a person."""

from django.db import transaction

from judging.models import ProposedQuery, QueryCall, QueryRound
from judging.queries.replies import NAME

AT_ONCE = 500  # calls


def take_queries(*, round: QueryRound) -> int:
    """Record the answers that are not counted yet; return the number of queries. Safe to repeat."""
    taken = 0
    rows = QueryCall.objects.filter(
        round=round, state=QueryCall.State.ANSWERED, counted=False
    ).order_by("pk")
    while True:
        with transaction.atomic():
            calls = list(rows.select_for_update().defer("request", "raw")[:AT_ONCE])
            if not calls:
                return taken
            proposals = [
                ProposedQuery(call=call, position=position, text=text)
                for call in calls
                for position, text in enumerate((call.parsed or {})[NAME], start=1)
            ]
            ProposedQuery.objects.bulk_create(proposals, batch_size=500)
            QueryCall.objects.filter(pk__in=[call.pk for call in calls]).update(counted=True)
            taken += len(proposals)
