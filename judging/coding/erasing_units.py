"""Erase a participant's units, and the names of codes that coders added while coding them."""

from collections.abc import Iterable

from django.db import transaction

from annotation.models import Assignment
from judging.models import AddedCode, CodingUnit


@transaction.atomic
def erase_units(*, assignments: Iterable[Assignment]) -> None:
    """Delete the units of assignments with their codes and decisions."""
    units = CodingUnit.objects.filter(assignment__in=assignments)
    AddedCode.objects.filter(unit__in=units).update(name="")
    units.delete()
