"""Page of a study's raters: kinds, counts, experts."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_GET, require_POST

from annotation.lists import page_of, search_words
from annotation.models import Study, Team
from annotation.people import access
from annotation.people.access import Act
from annotation.texts.translation import translated_error
from judging.labels.removing import CannotRemove, remove_labels
from judging.models import Rater
from judging.raters.counts import counted, raters_of
from judging.raters.registering import BadRater, change_kind, register

RATERS_A_PAGE = 50


@login_required
@require_GET
def raters(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Show models and experts first, then the crowd."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.VIEW, kind=Study.Kind.JUDGING
    )
    sought = search_words(request)
    rows = raters_of(study)
    if sought:
        rows = rows.filter(Q(name__icontains=sought) | Q(pseudonym__icontains=sought))
    page = page_of(rows, request, rows_a_page=RATERS_A_PAGE)
    page.object_list = counted(study, page.object_list)
    return render(request, "console/raters.html", {"study": study, "page": page, "q": sought})


@login_required
@require_POST
def change(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Make a rater an expert, or remove labels."""
    study = access.study_for(
        request.user, slug=slug, version=version, may=Act.MANAGE, kind=Study.Kind.JUDGING
    )
    assert isinstance(request.user, User)
    parameters = {
        name: str(value).replace("\x00", "").strip() for name, value in request.POST.items()
    }
    do = CHANGES.get(parameters.get("do", ""))
    try:
        if do is None:
            raise BadRater("bad_act", gettext("Unknown action for a rater."))
        with transaction.atomic():
            act, what, message = do(study, parameters, request.user)
            access.record(user=request.user, act=act, what=what, of=study)
    except (BadRater, CannotRemove) as error:
        messages.error(request, translated_error(error), extra_tags=error.code)
    else:
        messages.success(request, message)
    return redirect("raters", slug, version)


Change = tuple[str, str, str]  # the act and of what, as the audit log has it; what the page says


def _make_expert(study: Study, asked: dict[str, str], by: User) -> Change:
    rater = change_kind(rater=_of(study, asked), kind=Rater.Kind.EXPERT)
    return (
        "made a participant an expert",
        rater.pseudonym,
        gettext("{rater} is now an expert.").format(rater=rater),
    )


def _make_crowd(study: Study, asked: dict[str, str], by: User) -> Change:
    rater = change_kind(rater=_of(study, asked), kind=Rater.Kind.CROWD)
    return (
        "returned an expert to the crowd",
        rater.pseudonym,
        gettext("{rater} returned to the crowd.").format(rater=rater),
    )


def _add(study: Study, asked: dict[str, str], by: User) -> Change:
    username = asked.get("user", "")
    user = _seen_by(by).filter(username=username).first() if username else None
    if username and user is None:
        raise BadRater("unknown_user", gettext("User {user!r} not found.").format(user=username))
    name = asked.get("name", "")
    rater = register(name=name, kind=Rater.Kind.EXPERT, user=user, team=study.team)
    message = gettext("Expert {rater} added as {pseudonym}. Now import their labels.").format(
        rater=rater, pseudonym=rater.pseudonym
    )
    return "added an expert", rater.pseudonym, message


def _seen_by(user: User) -> "QuerySet[User]":
    """Return the accounts that a user may know of: members of the user's teams."""
    if user.is_superuser:
        return User.objects.all()
    teams = access.seen_by(user, Team.objects.all()).values("pk")
    return User.objects.filter(memberships__team__in=teams).distinct()


def _remove(study: Study, asked: dict[str, str], by: User) -> Change:
    number = asked.get("labels", "")
    expected = int(number) if number.isdecimal() and len(number) < 10 else 0
    rater = _of(study, asked)
    removed = remove_labels(study=study, rater=rater, expected=expected)
    labels = f"{removed.labels:,} label{'s' * (removed.labels != 1)} of"
    message = ngettext(
        "{number:,} label of {rater} deleted.",
        "{number:,} labels of {rater} deleted.",
        removed.labels,
    ).format(number=removed.labels, rater=rater)
    return "deleted labels", f"{labels} {rater.pseudonym}", message


CHANGES: dict[str, Callable[[Study, dict[str, str], User], Change]] = {
    "expert": _make_expert,
    "crowd": _make_crowd,
    "add": _add,
    "remove": _remove,
}


def _of(study: Study, asked: dict[str, str]) -> Rater:
    """Return a rater of the study. Raises BadRater."""
    theirs = Rater.objects.filter(judgments__item__study=study).distinct()
    rater = theirs.filter(pseudonym=asked.get("rater", "")).first()
    if rater is None:
        raise BadRater("unknown_rater", gettext("No rater has this pseudonym."))
    return rater
