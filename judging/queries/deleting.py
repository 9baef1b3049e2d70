"""Deleting and restoring rounds of queries; costs and accepted queries stay.

Waiting and rejected queries are hidden; accepted ones stay topics with their origin. A round that
never made a call is deleted for good.
"""

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Corpus
from judging.calls import running_rounds
from judging.models import QueryRound


@transaction.atomic
def delete(*, round: QueryRound, by: User | None) -> bool:
    """Delete a round; return whether it can be restored. Raises BadAsker."""
    Corpus.objects.select_for_update().get(pk=round.corpus_id)  # as whoever decides on its queries
    return running_rounds.delete(round=round, by=by)


restore = running_rounds.restore
