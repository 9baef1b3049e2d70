"""API of LLM authors: list, create and run, act."""

from django.contrib.auth.models import User
from rest_framework import serializers

from annotation.models import Study, Style, WorkNotice
from annotation.people import access
from annotation.people.access import Act
from judging import tasks
from judging.authors import setting_up
from judging.authors.files import author_row
from judging.authors.setting_up import AuthorSettings
from judging.authors.wording import READY
from judging.models import AuthorRound
from judging.pages.authors import address, author_of
from judging.pages.round_api import (
    NewRoundSerializer,
    OneRound,
    RoundKind,
    RoundList,
    RoundSerializer,
    list_schema,
    round_schema,
    set_up_in_study,
)


class NewAuthorSerializer(NewRoundSerializer):
    """An author with the default prompt, or with your own `system` and `user` messages.

    No `styles` means all of the study. `repeats` retries calls that got no response. With `run`
    false, no call is sent.
    """

    styles = serializers.ListField(
        child=serializers.ChoiceField(choices=Style.values), default=list, max_length=4
    )
    max_tokens = serializers.IntegerField(default=1000, min_value=1, max_value=100_000)
    prompt = serializers.SlugField(max_length=40, default=READY.key)


class AuthorSerializer(RoundSerializer):
    """An author and its progress. `texts` counts published responses."""

    styles = serializers.ListField(child=serializers.CharField())
    texts = serializers.IntegerField()


def _study(person: User, may: Act, *, slug: str, version: int, **more: int) -> Study:
    return access.study_for(person, slug=slug, version=version, may=may, kind=Study.Kind.WRITING)


AUTHORS = RoundKind(
    notice=WorkNotice.Kind.AUTHORS,
    task=tasks.write_responses,
    address=address,
    owner=_study,
    rounds=lambda study: AuthorRound.objects.filter(study=study).select_related("study", "prompt"),
    find=author_of,
    new=NewAuthorSerializer,
    set_up=set_up_in_study(setting_up, AuthorSettings, owned_as="study"),
    row=author_row,
)


@list_schema(
    "authors",
    "add_author",
    new=NewAuthorSerializer,
    row=AuthorSerializer,
    what=("List the LLM authors of a writing study.", "Create an LLM author and run it."),
)
class Authors(RoundList):
    """List the LLM authors of a writing study, or create and run one."""

    kind = AUTHORS


@round_schema(
    "author",
    "change_author",
    row=AuthorSerializer,
    what=(
        "Return an LLM author with its progress.",
        "Run, pause, delete or restore an LLM author.",
    ),
)
class OneAuthor(OneRound):
    """Show an author and its progress, or run, pause, delete or restore it."""

    kind = AUTHORS
    number = "pk"
