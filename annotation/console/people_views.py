"""Pages of team members, their roles, the audit log, and invitations."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.confirmed import confirmed_when
from annotation.console.login import JoinForm
from annotation.lists import page_of, search_words
from annotation.models import Invitation, Membership, Role, Team
from annotation.people import access
from annotation.people.access import Act, inviting, sharing, user_of
from annotation.people.access.budgets import budgeted
from annotation.people.access.roles import RIGHTS, WORDS
from annotation.people.mailing import mail, sends_mail
from annotation.refusals import Refusal
from annotation.texts.translation import translated_error

ROWS_A_PAGE = 50
ROLES_SHOWN = 4  # of a person, in the list of all
LINK = "invitation_link"  # in the session, until it is shown


class InviteForm(forms.Form):
    name = forms.CharField(max_length=150, required=False)
    email = forms.EmailField(max_length=254, required=False)
    role = forms.ChoiceField(choices=Role.choices)


class ChangeForm(forms.Form):
    user = forms.ModelChoiceField(User.objects.all())
    role = forms.ChoiceField(
        choices=[*Role.choices, ("", gettext_lazy("remove"))],
        required=False,
    )


@login_required
@require_GET
def people(request: HttpRequest) -> HttpResponse:
    """Everybody who takes part in what the reader sees; an administrator sees all accounts."""
    teams = access.seen_by(request.user, Team.objects.all())
    rows = User.objects.order_by("username")
    if not request.user.is_superuser:
        rows = rows.filter(memberships__team__in=teams.values("pk")).distinct()
    q = search_words(request)
    if q:
        by_mail = Q(email__icontains=q, pk__in=reachable(request).values("pk"))
        rows = rows.filter(Q(username__icontains=q) | by_mail)
    page = page_of(rows, request, rows_a_page=ROWS_A_PAGE)
    return render(
        request,
        "console/people.html",
        {"page": page, "rows": _with_roles(request, list(page.object_list)), "q": q},
    )


def reachable(request: HttpRequest) -> QuerySet[User]:
    """Return the users whose e-mail address the reader may see.

    These are the members of teams that the reader owns, and the reader.
    """
    assert isinstance(request.user, User)
    if request.user.is_superuser:
        return User.objects.all()
    owned = request.user.memberships.filter(role=Role.OWNER).values("team")
    mine = Membership.objects.filter(team__in=owned).values("user")
    return User.objects.filter(Q(pk__in=mine) | Q(pk=request.user.pk))


def _with_roles(request: HttpRequest, users: list[User]) -> list[dict[str, Any]]:
    """Return each user's roles in the teams that the reader sees, newest first."""
    seen = access.seen_by(request.user, Team.objects.all()).values("pk")
    members = list(Membership.objects.filter(user__in=users, team__in=seen).order_by("-pk"))
    things = access.shared_by({member.team_id for member in members})
    signed_up = set(
        reachable(request).filter(pk__in=[user.pk for user in users]).values_list("pk", flat=True)
    )
    roles: dict[int, list[tuple[Membership, Any]]] = {user.pk: [] for user in users}
    for member in members:
        if member.team_id in things:
            roles[member.user_id].append((member, things[member.team_id]))
    return [
        {
            "person": user,
            "email": user.email if user.pk in signed_up else "",
            "roles": roles[user.pk][:ROLES_SHOWN],
            "more": max(0, len(roles[user.pk]) - ROLES_SHOWN),
        }
        for user in users
    ]


@login_required
@require_GET
def team(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the members of a study, draft or corpus, and open invitations."""
    return _team(request, access.team_for(request.user, pk=pk, may=Act.VIEW), InviteForm())


def _team(request: HttpRequest, team: Team, form: InviteForm, status: int = 200) -> HttpResponse:
    waiting = inviting.waiting(database_now()).filter(team=team)
    context = {
        "team": team,
        "thing": team.shares,
        "page": page_of(
            team.memberships.select_related("user").order_by("pk"),
            request,
            rows_a_page=ROWS_A_PAGE,
        ),
        "roles": [(role, WORDS_OF[role]) for role in Role],
        "invitations": waiting.select_related("made_by"),
        "form": form,
        "link": request.session.pop(LINK, None),
        "days": inviting.LASTS.days,
        "sends_mail": sends_mail(),
    }
    return render(request, "console/team.html", context, status=status)


WORDS_OF = {
    role: "can " + "; ".join(WORDS[act].removeprefix("to ") for act in Act if act in RIGHTS[role])
    for role in Role
}


def makes_owner(request: HttpRequest) -> bool:
    """Return whether a form asks to give somebody all rights of a team."""
    return request.POST.get("role") == Role.OWNER


@login_required
@require_POST
@confirmed_when(makes_owner)
def change(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a member another role, or take one out; everybody may leave."""
    form = ChangeForm(request.POST)
    if not form.is_valid():
        raise Http404("Person or role not found.")
    user, role = form.cleaned_data["user"], form.cleaned_data["role"]
    leaves = user == request.user and not role
    team = access.team_for(request.user, pk=pk, may=Act.VIEW if leaves else Act.MANAGE)
    by, now = user_of(request), database_now()
    try:
        if role:
            sharing.change_role(team=team, user=user, role=Role(role), by=by, now=now)
            messages.success(
                request,
                gettext("{user} is now {label}.").format(user=user, label=Role(role).label.lower()),
            )
        else:
            sharing.remove(team=team, user=user, by=by, now=now)
            messages.success(
                request,
                gettext("{user} removed from {shares}.").format(user=user, shares=team.shares),
            )
    except Refusal as refusal:
        messages.error(request, translated_error(refusal))
    return redirect("people" if leaves and not request.user.is_superuser else team)


@login_required
@budgeted(per_minute=20)
@require_POST
@confirmed_when(makes_owner)
def invite(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a link that lets one person in; the page that follows shows it once."""
    team = access.team_for(request.user, pk=pk, may=Act.MANAGE)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _team(request, team, form, status=422)
    made, token = inviting.invite(
        team=team,
        role=Role(form.cleaned_data["role"]),
        name=form.cleaned_data["name"],
        by=user_of(request),
        now=database_now(),
    )
    address = request.build_absolute_uri(reverse("invitation", args=[token]))
    link: dict[str, Any] = {"address": address, "name": made.name, "role": made.role}
    if (email := form.cleaned_data["email"]) and sends_mail():
        link |= {"email": email, "is_sent": _mailed(request, team, address, email)}
    request.session[LINK] = link
    return redirect(team)


def _mailed(request: HttpRequest, team: Team, address: str, email: str) -> bool:
    return mail(
        to=email,
        template="console/invitation_mail",
        about=f"invitation of team {team.pk}",
        address=address,
        thing=team.shares,
        by=user_of(request).get_username(),
        days=inviting.LASTS.days,
    )


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    team = access.team_for(request.user, pk=pk, may=Act.MANAGE)
    number = forms.IntegerField(min_value=1, max_value=2**62, required=False)
    try:
        key = number.clean(request.POST.get("invitation", ""))
    except forms.ValidationError as error:
        raise Http404("Invitation not found.") from error
    invitation = get_object_or_404(Invitation, team=team, pk=key)
    try:
        inviting.revoke(invitation=invitation, by=user_of(request), now=database_now())
    except inviting.InvitationOver:
        messages.error(request, gettext("This invitation has already ended."))
    else:
        messages.success(request, gettext("Invitation revoked."))
    return redirect(team)


@login_required
@require_GET
def audit(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the audit log, the newest first."""
    team = access.team_for(request.user, pk=pk, may=Act.VIEW)
    rows, q = team.audit_entries.all(), search_words(request)
    if q:
        rows = rows.filter(Q(name__icontains=q) | Q(act__icontains=q) | Q(what__icontains=q))
    page = page_of(rows, request, rows_a_page=ROWS_A_PAGE)
    context = {"team": team, "thing": team.shares, "page": page, "q": q}
    return render(request, "console/audit.html", context)


@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Join with the account that one has, or make one."""
    now = database_now()
    form = JoinForm(request.POST if request.method == "POST" else None)
    try:
        invited = inviting.invitation_of(token=token, now=now)
        if request.method == "POST" and request.user.is_authenticated:
            inviting.accept(invitation=invited, user=user_of(request), now=now)
            return redirect(_page_of(invited.team))
        if form.is_bound and form.is_valid() and (user := _joined(form, invited)):
            login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            return redirect(_page_of(invited.team))
    except inviting.InvitationOver as over:
        return render(request, "console/invitation.html", {"over": over}, status=over.status)
    context = {"invitation": invited, "thing": invited.team.shares, "form": form}
    context["may"] = WORDS_OF[Role(invited.role)]
    return render(request, "console/invitation.html", context, status=422 if form.is_bound else 200)


def _joined(form: JoinForm, invitation: Invitation) -> User | None:
    """Return the new account; None if the name has just been taken. Raises InvitationOver."""
    try:
        with transaction.atomic():
            user: User = form.save()
            inviting.accept(invitation=invitation, user=user, now=database_now())
    except IntegrityError:
        form.add_error("username", gettext("This name is taken. Choose another."))
        return None
    return user


def _page_of(team: Team) -> str:
    return str(team.shares.get_absolute_url())
