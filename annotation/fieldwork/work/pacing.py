"""How many people may begin a study from one network address: a limit against invented people.

A whole university or a mobile network may stand behind one address. Therefore people with a place
are not counted, and people who come too early wait for less than a minute: of the
ARRIVALS_PER_ADDRESS of ten minutes all may come at once, and then one in each equal part of them
(the generic cell rate algorithm, ITU-T I.371). The count is a row of the database, the same for
every process and host.
"""

from datetime import datetime, timedelta

from django.conf import settings

from annotation.fieldwork.work.refusals import TooManyAtOnce
from annotation.models import AddressPace, Study
from annotation.people.pseudonyms import hashed

WINDOW = timedelta(minutes=10)


def count_arrival(*, study: Study, address: str, now: datetime) -> None:
    """Count somebody who is about to take a place. Raises TooManyAtOnce.

    Call it within the transaction that takes the place: a person who gets none is not counted. The
    row is locked until then, so that of many at once no more come through.
    """
    most = settings.ARRIVALS_PER_ADDRESS
    if not most or not address:
        return
    pace, _ = AddressPace.objects.select_for_update(no_key=True).get_or_create(
        study=study,
        address_hash=hashed(platform="address", external_id=address),
        defaults={"clear_at": now},
    )
    clear_at = max(pace.clear_at, now) + WINDOW / most
    if clear_at > now + WINDOW:
        raise TooManyAtOnce
    AddressPace.objects.filter(pk=pace.pk).update(clear_at=clear_at)


def forget_addresses(*, now: datetime) -> int:
    """Delete the counts that no longer keep anybody waiting; return how many."""
    return AddressPace.objects.filter(clear_at__lte=now).delete()[0]
