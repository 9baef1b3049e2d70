"""Limit on arrivals from one network address, against invented people.

A whole university may share one address, so people with a place are not counted, and early ones
wait for less than a minute: the ARRIVALS_PER_ADDRESS of ten minutes may all come at once, then one
in each equal part of them (the generic cell rate algorithm, ITU-T I.371). The count is a row, the
same for every process and host.
"""

from datetime import datetime, timedelta

from django.conf import settings

from annotation.models import AddressPace, Study
from annotation.people.pseudonyms import hashed
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

WINDOW = timedelta(minutes=10)


def count_arrival(*, study: Study, address: str, now: datetime) -> None:
    """Count a person who is about to take a place. Raises the refusal TooManyAtOnce.

    Call it within the transaction that takes the place: it locks the row, and a person who gets no
    place is not counted.
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
        raise Refusal(
            "TooManyAtOnce",
            Sentence(
                "Many people on your network started this study at the same time, so we let "
                "them in one by one. Nothing is lost. Please try again in a minute."
            ),
            status=429,
            title=Sentence("Please wait a minute"),
        )
    AddressPace.objects.filter(pk=pace.pk).update(clear_at=clear_at)


def forget_addresses(*, now: datetime) -> int:
    """Delete the counts that no longer delay anybody; return how many."""
    return AddressPace.objects.filter(clear_at__lte=now).delete()[0]
