"""API of LLM coders of a coding: list, create and run, act."""

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs
from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.models import WorkNotice
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.calls.asking import BadAsker
from judging.calls.progress import progress_row
from judging.calls.prompts import BadPrompt
from judging.coders import setting_up
from judging.coders.setting_up import Manner
from judging.coders.wording import READY
from judging.models import CoderRound, Coding
from judging.pages import askers
from judging.pages.coder_pages import address, coder_of
from judging.pages.coding_pages import coding_of
from judging.pages.round_api import (
    NewRoundSerializer,
    RoundActSerializer,
    RoundSerializer,
    act_on_round,
    terms_in,
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


class Coders(Resource):
    """List the LLM coders of a coding, or create and run one."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="coders", responses=CoderSerializer(many=True))
    def get(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        coding, now = _coding(self, slug, version, pk), database_now()
        rounds = CoderRound.objects.filter(coding=coding).select_related("coding__study", "prompt")
        return Answer([progress_row(one, now=now) for one in rounds])

    @extend_schema(
        operation_id="add_coder", request=NewCoderSerializer, responses={201: CoderSerializer}
    )
    def post(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        coding, now = _coding(self, slug, version, pk), database_now()
        data = understood(NewCoderSerializer, request.data)
        by = self.person if isinstance(self.person, User) else None
        manner = ("model", "protocol", "structured", "max_tokens", "temperature", "seed")
        wording = {name: data[name] for name in ("system", "user")}
        try:
            prompt = setting_up.save_prompt(
                study=coding.study, key=data["prompt"], by=by, now=now, **wording
            )
            made = setting_up.set_up(
                coding=coding,
                name=data["name"],
                prompt=prompt,
                manner=Manner(**{name: data[name] for name in manner}),
                terms=terms_in(data),
                key=data["key"],
                by=by,
                now=now,
            )
            if data["run"]:
                _run(made, by)
        except (BadAsker, BadPrompt) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(progress_row(coder_of(coding, made.pk), now=now), status=201)


class OneCoder(Resource):
    """Show an LLM coder and its progress, or run, pause, delete or restore it."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="coder", responses=CoderSerializer)
    def get(self, request: Request, slug: str, version: int, pk: int, round: int) -> Answer:
        coding = _coding(self, slug, version, pk)
        return Answer(progress_row(coder_of(coding, round), now=database_now()))

    @extend_schema(
        operation_id="change_coder", request=RoundActSerializer, responses=CoderSerializer
    )
    def post(self, request: Request, slug: str, version: int, pk: int, round: int) -> Answer:
        coding, now = _coding(self, slug, version, pk, Act.VIEW), database_now()
        one = coder_of(coding, round)
        check_right(coding.study, self.act)
        do = understood(RoundActSerializer, request.data)["do"]
        row = progress_row(one, now=now)
        if not act_on_round(one, do, person=self.person, run=_run):
            return Answer(row | {"state": CoderRound.State.WITHDRAWN})
        return Answer(progress_row(coder_of(coding, round), now=now))


def _coding(resource: Resource, slug: str, version: int, pk: int, may: Act | None = None) -> Coding:
    study = access.study_for(resource.person, slug=slug, version=version, may=Act.VIEW)
    coding = coding_of(study, pk)
    check_right(study, may or resource.act)
    return coding


def _run(one: CoderRound, by: User | None) -> None:
    """Start an LLM coder and note who wants an e-mail when it ends. Raises BadAsker."""
    setting_up.run(round=one, by=by)
    if by is not None:
        askers.expect(one, kind=WorkNotice.Kind.CODERS, path=address(one), user=by)
    jobs.send_after_commit(tasks.code_comments, one.pk)
