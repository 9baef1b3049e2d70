"""Numbers of requests, so that a late request of a page never undoes a newer one.

A page numbers what it sends, higher each time (static/js/numbers.js), and the highest number that
was taken is stored. Numbers are milliseconds of the server's clock: a page is told where to begin
and goes on by the time passed on its device, whose clock may be wrong. Scripts send 0, which counts
in the order of arrival.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

import msgspec
from django.db.models import F, Q
from django.db.models.functions import Greatest

from annotation.fieldwork.work.refusals import OtherTab
from annotation.models import Assignment

MAX_NUMBER = 2**53 - 1  # the largest whole number of JavaScript
TAB_LENGTH = 40  # characters kept of a tab's name

Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_NUMBER)]


def first_number(*, now: datetime, known: int) -> int:
    """Return where a page begins to count: above `known`, even if the clock was set back."""
    return max(int(now.timestamp() * 1000), known + 1)


def take_over(*, assignment: Assignment, tab: str, number: int = 0) -> None:
    """Make this tab the one that saves. Raises OtherTab if another tab did so later."""
    tab = tab[:TAB_LENGTH]
    if not _advance(assignment, number, Q(tab=tab), tab=tab):
        raise OtherTab(after=_known(assignment))


def check_turn(*, assignment: Assignment, tab: str) -> None:
    """Raise OtherTab if another tab is the one that saves."""
    if assignment.tab and assignment.tab != tab[:TAB_LENGTH]:
        raise OtherTab(after=assignment.number)


def is_newest(*, assignment: Assignment, number: int, **changes: Any) -> bool:
    """Save these changes unless a newer request came before; return whether they were saved."""
    return _advance(assignment, number, Q(), **changes)


def _advance(assignment: Assignment, number: int, otherwise: Q, **changes: Any) -> bool:
    rows = Assignment.objects.filter(pk=assignment.pk)
    if number:
        rows = rows.filter(Q(number__lt=number) | otherwise)
    return bool(rows.update(number=Greatest(F("number"), number), **changes))


def _known(assignment: Assignment) -> int:
    return Assignment.objects.values_list("number", flat=True).get(pk=assignment.pk)


def number_of(form: Mapping[str, str]) -> int:
    """Return the number of a form; 0 where its page gave none."""
    number = str(form.get("request_number", ""))
    return int(number) if re.fullmatch("[0-9]{1,16}", number) else 0
