"""The assignment of a worker's address, for the pages of every kind of study.

The token in the address is the authority: no cookie acts for a worker, so that these pages need no
CSRF token and work where cookies are blocked.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from annotation.clock import database_now
from annotation.encryption import token_hash
from annotation.fieldwork.pages.languages import speak
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.admission import is_due
from annotation.fieldwork.work.prepared_statements import PreparedQuery
from annotation.fieldwork.work.refusals import NotLive, UnknownLink
from annotation.models import Assignment, Study

View = Callable[..., HttpResponse]
ADDRESSED = PreparedQuery(
    lambda token_hash: (
        Assignment.objects.filter(token_hash=token_hash)
        .select_related("study", "worker", "task__batch")
        .order_by()
    ),
    "token hash",
)


def assignment_for(token: str, *, kind: Study.Kind | None = None) -> Assignment:
    """Return the assignment of a worker's address, and switch to the language of its study.

    A kind of study asks for its own: the pages of one kind are no way through the work of another.
    Raises UnknownLink.
    """
    rows = ADDRESSED.fetch(token_hash(token))
    if not rows or (kind is not None and rows[0].study.kind != kind):
        raise UnknownLink
    assignment = rows[0]
    speak(assignment.study)
    assignment.token = token  # saves deciphering it for the links of the page
    return assignment


def revived(token: str, *, kind: Study.Kind) -> Assignment:
    """Return the active assignment; one that ran out of time goes on if its place is free.

    Raises UnknownLink or NotLive.
    """
    assignment = assignment_for(token, kind=kind)
    if assignment.state == Assignment.State.EXPIRED:
        assignment = assigning.revive(assignment=assignment, now=database_now())
    if assignment.state != Assignment.State.ACTIVE:
        raise NotLive(assignment.state)
    return assignment


def while_active(kind: Study.Kind | None = None) -> Callable[[View], View]:
    """Decorate a view that takes an active assignment; otherwise redirect the worker."""

    def decorated(view: View) -> View:
        @wraps(view)
        def page(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponse:
            assignment = assignment_for(token, kind=kind)
            if assignment.state != Assignment.State.ACTIVE:
                return redirect("work", token)
            if is_due(assignment):
                return redirect("screening", token)
            return view(request, assignment, **kwargs)

        return page

    return decorated
