"""What is wrong with the budget of a document, or with the days until which data are kept."""

from collections.abc import Iterable
from decimal import Decimal

from django.utils import timezone
from django.utils.translation import gettext

from annotation.studies.drafts.schema import Document
from annotation.studies.effects import FEES
from annotation.studies.instruments import Fault

MOST_DIGITS = 12  # before the point: more than any column of money has


def keeping_faults(document: Document) -> Iterable[Fault]:
    hired = document.recruitment
    if hired.budget is not None and all(map(_is_money, (hired.pay, hired.budget))):
        place = hired.pay * (1 + FEES.get(hired.platform, Decimal(0)))
        if hired.budget <= 0 or hired.budget < place:
            yield Fault(
                "recruitment/budget",
                gettext("The budget covers not one task: with fees, that is {place}.").format(
                    place=f"{place:.2f} {hired.currency}"
                ),
            )
    today = timezone.now().date()
    for name in document.retention.__struct_fields__:
        day = getattr(document.retention, name)
        if day is not None and day < today:
            yield Fault(f"retention/{name}", gettext("This day is over."))


def _is_money(amount: Decimal) -> bool:
    """Whether it can be compared and multiplied; what cannot is a fault of its own place."""
    return amount.is_finite() and amount.adjusted() < MOST_DIGITS
