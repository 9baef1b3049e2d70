"""API of LLM coders of a coding: list, create and run, act."""

from django.contrib.auth.models import User
from rest_framework import serializers

from annotation.models import WorkNotice
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.calls.progress import round_row
from judging.coders import setting_up
from judging.coders.setting_up import Manner
from judging.coders.wording import READY
from judging.models import CoderRound, Coding
from judging.pages.coder_pages import address, coder_of
from judging.pages.coding_pages import coding_of
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


class NewCoderSerializer(NewRoundSerializer):
    """An LLM coder with the default prompt, or with your own `system` and `user` messages.

    `structured`: the endpoint supports JSON schemas. With `run` false, no call is sent.
    """

    structured = serializers.BooleanField(default=True)
    max_tokens = serializers.IntegerField(default=300, min_value=1, max_value=100_000)
    prompt = serializers.SlugField(max_length=40, default=READY.key)


class CoderSerializer(RoundSerializer):
    """An LLM coder and its progress. `unread` counts answers outside the codebook or format."""


def _coding(person: User, may: Act, *, slug: str, version: int, pk: int, **more: int) -> Coding:
    study = access.study_for(person, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, may)
    return coding


CODERS = RoundKind(
    notice=WorkNotice.Kind.CODERS,
    task=tasks.code_comments,
    address=address,
    owner=_coding,
    rounds=lambda coding: CoderRound.objects.filter(coding=coding).select_related(
        "coding__study", "prompt"
    ),
    find=coder_of,
    new=NewCoderSerializer,
    set_up=set_up_in_study(setting_up, Manner, owned_as="coding"),
    row=round_row,
)


@list_schema(
    "coders",
    "add_coder",
    new=NewCoderSerializer,
    row=CoderSerializer,
    what=("List the LLM coders of a coding.", "Create an LLM coder and run it."),
)
class Coders(RoundList):
    """List the LLM coders of a coding, or create and run one."""

    kind = CODERS


@round_schema(
    "coder",
    "change_coder",
    row=CoderSerializer,
    what=("Return an LLM coder with its progress.", "Run, pause, delete or restore an LLM coder."),
)
class OneCoder(OneRound):
    """Show an LLM coder and its progress, or run, pause, delete or restore it."""

    kind = CODERS
