"""API of LLM authors: list, create and run, act."""

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
from judging.calls.asking import BadAsker
from judging.calls.prompts import BadPrompt
from judging.models import AuthorRound
from judging.pages import askers
from judging.pages.authors import address, author_of
from judging.pages.round_api import (
    NewRoundSerializer,
    RoundActSerializer,
    RoundSerializer,
    act_on_round,
    terms_in,
)

MANNER = ("model", "protocol", "max_tokens", "temperature", "seed")


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
                terms=terms_in(data),
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
        operation_id="change_author", request=RoundActSerializer, responses=AuthorSerializer
    )
    def post(self, request: Request, slug: str, version: int, pk: int) -> Answer:
        """Run, pause, delete or restore an LLM author."""
        study, now = _study(self, slug, version, Act.VIEW), database_now()
        one = author_of(study, pk)
        check_right(study, self.act)
        do = understood(RoundActSerializer, request.data)["do"]
        row = author_row(one, now)
        if not act_on_round(one, do, person=self.person, run=_run):
            return Answer(row | {"state": AuthorRound.State.WITHDRAWN})
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
