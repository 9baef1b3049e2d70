"""Permissions of each role: one table. Only reads."""

from enum import StrEnum
from typing import Any

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext, gettext_lazy

from annotation.models.access import Role


class Act(StrEnum):
    """Action on a study or a corpus; templates use the value."""

    VIEW = "view"
    REVIEW = "review"
    EDIT = "edit"
    RUN = "run"
    EXPORT = "export"
    MANAGE = "manage"


WORDS = {
    Act.VIEW: gettext_lazy("view it"),
    Act.REVIEW: gettext_lazy("review submissions"),
    Act.EDIT: gettext_lazy("edit it"),
    Act.RUN: gettext_lazy("launch, open, close and analyse it"),
    Act.EXPORT: gettext_lazy("export its data"),
    Act.MANAGE: gettext_lazy("manage members and delete it"),
}

RIGHTS: dict[Role, frozenset[Act]] = {
    Role.OWNER: frozenset(Act),
    Role.RESEARCHER: frozenset(Act) - {Act.MANAGE},
    Role.REVIEWER: frozenset({Act.VIEW, Act.REVIEW}),
    Role.VIEWER: frozenset({Act.VIEW}),
}


def _not_allowed(thing: object, act: Act) -> PermissionDenied:
    """Return the refusal of people who may see a thing, but whose role does not include this."""
    role = getattr(thing, "role", "")
    article = "an" if role == Role.OWNER else "a"
    who = " or ".join(f"{holder.label.lower()}s" for holder in Role if act in RIGHTS[holder])
    return PermissionDenied(
        gettext("You are {article} {role} of “{title}”. Only its {who} can {doing}.").format(
            article=article, role=role, title=thing, doing=WORDS[act], who=who
        )
    )


def only_looked_at(title: str) -> PermissionDenied:
    """Return the refusal of work on a simulated copy of a study."""
    return PermissionDenied(
        gettext("“{title}” is a simulation: you can only view or delete it.").format(title=title)
    )


def check_simulated(thing: Any, act: Act) -> None:
    """Raise `only_looked_at`; the role is that of a viewer."""
    if act != Act.VIEW:
        raise only_looked_at(str(thing))
    thing.role = Role.VIEWER


def may(thing: object, act: str) -> bool:
    """Return whether the person for whom `thing` was looked up may do this."""
    role = getattr(thing, "role", "")
    return bool(role) and Act(act) in RIGHTS[Role(role)]


def check(thing: object, act: Act) -> None:
    """Raise PermissionDenied."""
    if not may(thing, act):
        raise _not_allowed(thing, act)
