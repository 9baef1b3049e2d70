"""API of LLM authors: list, create and run, act."""

from typing import Any

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs
from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.models import Study, Style, WorkNotice
from annotation.people import access
from annotation.people.access import Act
from annotation.people.access.roles import check as check_right
from judging import tasks
from judging.authors import setting_up
from judging.authors.files import author_row
from judging.authors.setting_up import Manner
from judging.authors.wording import READY
from judging.calls.asking import MOST_AT_ONCE, BadAsker, Terms
from judging.calls.prompts import LIMIT, BadPrompt
from judging.models import AuthorRound
from judging.pages import askers
from judging.pages.authors import address, author_of

TERMS = ("base_url", "price_in", "price_out", "budget", "at_most", "repeats")
MANNER = ("model", "protocol", "max_tokens", "temperature", "seed")


class NewAuthorSerializer(serializers.Serializer[Any]):
    """An author with the default prompt, or with your own `system` and `user` messages.

    No `styles` means all of the study. `repeats` retries calls that got no response. With `run`
    false, no call is sent.
    """

    name = serializers.CharField(max_length=100)
    model = serializers.CharField(max_length=100)
    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, default="", allow_blank=True, write_only=True)
    styles = serializers.ListField(
        child=serializers.ChoiceField(choices=Style.values), default=list, max_length=4
    )
    max_tokens = serializers.IntegerField(default=1000, min_value=1, max_value=100_000)
    protocol = serializers.ChoiceField(choices=AuthorRound.Protocol.choices, default="chat")
    seed = serializers.IntegerField(
        default=None, min_value=0, max_value=askers.MOST_SEED, allow_null=True
    )
    temperature = serializers.FloatField(default=0, min_value=0, max_value=2, allow_null=True)
    price_in = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    price_out = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    budget = serializers.DecimalField(10, 2, default=None, min_value=0, allow_null=True)
    at_most = serializers.IntegerField(default=8, min_value=1, max_value=MOST_AT_ONCE)
    repeats = serializers.BooleanField(default=False)
    prompt = serializers.SlugField(max_length=40, default=READY.key)
    system = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)
    user = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)
    run = serializers.BooleanField(default=True)


class AuthorSerializer(serializers.Serializer[Any]):
    """An author and its progress. `texts` counts published responses."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=AuthorRound.State.choices)
    said = serializers.CharField()
    model = serializers.CharField()
    prompt = serializers.CharField()
    styles = serializers.ListField(child=serializers.CharField())
    made_at = serializers.DateTimeField()
    calls = serializers.IntegerField()
    unprepared = serializers.IntegerField()
    answered = serializers.IntegerField()
    failed = serializers.IntegerField()
    unread = serializers.IntegerField()
    texts = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)


class Authors(Resource):
    """List the LLM authors of a writing study, or create and run one."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="authors", responses=AuthorSerializer(many=True))
    def get(self, request: Request, slug: str, version: int) -> Answer:
        """List the LLM authors of a writing study."""
        study, now = _study(self, slug, version), database_now()
        rounds = AuthorRound.objects.filter(study=study).select_related("study", "prompt")
        return Answer([author_row(one, now) for one in rounds])

    @extend_schema(
        operation_id="add_author",
        request=NewAuthorSerializer,
        responses={201: AuthorSerializer},
    )
    def post(self, request: Request, slug: str, version: int) -> Answer:
        """Create an LLM author and run it."""
        study, now = _study(self, slug, version), database_now()
        data = understood(NewAuthorSerializer, request.data)
        by = self.person if isinstance(self.person, User) else None
        try:
            prompt = setting_up.save_prompt(
                study=study,
                key=data["prompt"],
                system=data["system"],
                user=data["user"],
                by=by,
                now=now,
            )
            made = setting_up.set_up(
                study=study,
                name=data["name"],
                prompt=prompt,
                manner=Manner(
                    styles=tuple(data["styles"]), **{name: data[name] for name in MANNER}
                ),
                terms=Terms(**{name: data[name] for name in TERMS}),
                key=data["key"],
                by=by,
                now=now,
            )
            if data["run"]:
                _run(made, by)
        except (BadAsker, BadPrompt) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(author_row(author_of(study, made.pk), now), status=201)


class OneAuthor(Resource):
    """Show an author and its progress, or run, pause, delete or restore it."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="author", responses=AuthorSerializer)
    def get(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        """Return an LLM author with its progress."""
        study = _study(self, slug, version)
        return Answer(author_row(author_of(study, pk), database_now()))

    @extend_schema(
        operation_id="change_author", request=askers.RoundActSerializer, responses=AuthorSerializer
    )
    def post(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        """Run, pause, delete or restore an LLM author."""
        study, now = _study(self, slug, version, Act.VIEW), database_now()
        one = author_of(study, pk)
        check_right(study, self.act)
        do = understood(askers.RoundActSerializer, request.data)["do"]
        row = author_row(one, now)
        by = self.person if isinstance(self.person, User) else None
        try:
            if do == "run":
                _run(one, by)
            elif do == "pause":
                setting_up.pause(round=one, by=by)
            elif do == "restore":
                setting_up.restore(round=one, by=by)
            elif not setting_up.delete(round=one, by=by):
                return Answer(row | {"state": AuthorRound.State.WITHDRAWN})
        except BadAsker as error:
            raise DomainRefusal(error) from error
        return Answer(author_row(author_of(study, pk), now))


def _study(resource: Resource, slug: str, version: int, may: Act | None = None) -> Study:
    may = may or resource.act
    return access.study_for(
        resource.person, slug=slug, version=version, may=may, kind=Study.Kind.WRITING
    )


def _run(one: AuthorRound, by: User | None) -> None:
    """Start an author and note who wants an e-mail when it ends. Raises BadAsker."""
    setting_up.run(round=one, by=by)
    if by is not None:
        askers.expect(one, kind=WorkNotice.Kind.AUTHORS, path=address(one), user=by)
    jobs.send_after_commit(tasks.write_responses, one.pk)
