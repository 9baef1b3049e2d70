"""Deleting and restoring rounds of queries; costs and accepted queries stay.

Waiting and rejected queries are hidden; accepted ones stay topics with their origin. A round that
never made a call is deleted for good.
"""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation import wiping
from annotation.models import Corpus
from annotation.people import access
from judging.calls.asking import BadAsker, called, may_be_deleted
from judging.models import QueryRound

State = QueryRound.State


@transaction.atomic
def delete(*, round: QueryRound, by: User | None) -> bool:
    """Delete a round; return whether it can be restored. Raises BadAsker."""
    Corpus.objects.select_for_update().get(pk=round.corpus_id)  # as whoever decides on its queries
    locked = QueryRound.objects.select_for_update().filter(pk=round.pk).first()
    if locked is None or locked.state == State.WITHDRAWN:
        raise BadAsker(_("%(name)s is already deleted.") % {"name": round.name})
    if locked.is_busy(timezone.now()):
        raise BadAsker(_("%(name)s is running. Pause it first.") % {"name": round.name})
    is_kept = not may_be_deleted(locked)
    if is_kept:
        QueryRound.objects.filter(pk=locked.pk).update(state=State.WITHDRAWN, said="")
    else:
        locked.delete()
        wiping.mark_erasure()
    access.record(user=by, act="deleted a round of queries", what=called(round), of=round.corpus)
    return is_kept


@transaction.atomic
def bring_back(*, round: QueryRound, by: User | None) -> None:
    """Restore a round, paused. Raises BadAsker."""
    rows = QueryRound.objects.filter(pk=round.pk, state=State.WITHDRAWN)
    if not rows.update(state=State.PAUSED):
        raise BadAsker(_("%(name)s is not deleted.") % {"name": round.name})
    access.record(
        user=by, act="brought a round of queries back", what=called(round), of=round.corpus
    )
