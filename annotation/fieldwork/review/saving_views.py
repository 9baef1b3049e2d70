"""Saved views: lists of work that a person keeps under a name."""

from django.contrib.auth.models import User
from django.utils.translation import gettext

from annotation.models import SavedView, Study
from annotation.refusals import Refusal

MAX_VIEWS = 20


def keep(*, study: Study, user: User, name: str, query: str) -> SavedView:
    """Save a view, and replace one of the same name. Raises Refusal."""
    name = " ".join(name.replace("\x00", "").split())[:60]
    if not name:
        raise Refusal("UnnamedView", gettext("Enter a name for the view."))
    mine = SavedView.objects.filter(study=study, user=user)
    if mine.exclude(name=name).count() >= MAX_VIEWS:
        raise Refusal(
            "TooManyViews",
            gettext("You can save up to {most_views} views. Delete one first.").format(
                most_views=MAX_VIEWS
            ),
        )
    view, _ = mine.update_or_create(
        study=study, user=user, name=name, defaults={"query": query[:600]}
    )
    return view


def forget(*, study: Study, user: User, pk: int) -> None:
    SavedView.objects.filter(study=study, user=user, pk=pk).delete()
