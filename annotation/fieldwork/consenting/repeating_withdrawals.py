"""Withdrawing again, after a restore, the work that was withdrawn since the backup."""

from itertools import islice

from annotation.fieldwork.work import assigning, withdrawal_journal
from annotation.models import Assignment

AT_ONCE = 500


def repeat() -> int:
    """Withdraw all work that the journal lists; return how many submissions were left.

    May be repeated. Work that this database does not have is skipped.
    """
    count = 0
    at = {token_hash: time for time, token_hash in withdrawal_journal.noted()}
    hashes = iter(at)
    while some := list(islice(hashes, AT_ONCE)):
        left = Assignment.objects.filter(token_hash__in=some)
        left = left.exclude(state=Assignment.State.WITHDRAWN).order_by("pk")
        for work in left:
            assigning.withdraw(assignment=work, now=at[work.token_hash])
            count += 1
    return count
