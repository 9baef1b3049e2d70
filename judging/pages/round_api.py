"""API of rounds of LLM calls, which all kinds share: list, create and run, show, act."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.models import WorkNotice
from annotation.people.access import Act
from judging.calls import running_rounds
from judging.calls.asking import MOST_AT_ONCE, BadAsker, ModelSettings, Terms
from judging.calls.prompts import LIMIT, BadPrompt
from judging.calls.running_rounds import Round
from judging.models.calls import Asker
from judging.pages import asker_views, askers
from judging.pages.askers import MOST_SEED, RoundActSerializer

TERMS = ("base_url", "price_in", "price_out", "budget", "at_most", "repeats")


class TermsSerializer(serializers.Serializer[Any]):
    """Terms of calls: address, key, prices, budget, speed.

    `repeats` retries calls that got no response. With `run` false, no call is sent.
    """

    base_url = serializers.CharField(max_length=300)
    key = serializers.CharField(max_length=500, default="", allow_blank=True, write_only=True)
    price_in = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    price_out = serializers.DecimalField(12, 4, default=None, min_value=0, allow_null=True)
    budget = serializers.DecimalField(10, 2, default=None, min_value=0, allow_null=True)
    at_most = serializers.IntegerField(default=8, min_value=1, max_value=MOST_AT_ONCE)
    repeats = serializers.BooleanField(default=False)
    run = serializers.BooleanField(default=True)


class NewRoundSerializer(TermsSerializer):
    """Settings of a round's model, its prompt and its terms."""

    name = serializers.CharField(max_length=100)
    model = serializers.CharField(max_length=100)
    protocol = serializers.ChoiceField(choices=Asker.Protocol.choices, default="chat")
    seed = serializers.IntegerField(default=None, min_value=0, max_value=MOST_SEED, allow_null=True)
    temperature = serializers.FloatField(default=0, min_value=0, max_value=2, allow_null=True)
    system = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)
    user = serializers.CharField(max_length=LIMIT, default="", allow_blank=True)


class RoundSerializer(serializers.Serializer[Any]):
    """A round and its progress."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Asker.State.choices)
    said = serializers.CharField()
    model = serializers.CharField()
    prompt = serializers.CharField()
    made_at = serializers.DateTimeField()
    calls = serializers.IntegerField()
    unprepared = serializers.IntegerField()
    answered = serializers.IntegerField()
    failed = serializers.IntegerField()
    unread = serializers.IntegerField()
    cost = serializers.FloatField(allow_null=True)


@dataclass(frozen=True, kw_only=True)
class RoundKind:
    """A kind of rounds: how the API finds, creates, starts and describes them.

    `owner` returns the record that has the rounds, by person, right and parts of the address.
    """

    notice: WorkNotice.Kind
    task: Any
    address: Callable[[Any], str]
    owner: Callable[..., Any]
    rounds: "Callable[[Any], QuerySet[Any]]"
    find: Callable[[Any, int], Any]
    new: type[serializers.Serializer[Any]]
    set_up: Callable[[Any, Mapping[str, Any], User], Any]
    row: Callable[[Any], dict[str, Any]]
    delete: Callable[..., bool] = running_rounds.delete
    restore: Callable[..., None] = running_rounds.restore

    def start(self, one: Round, by: User) -> None:
        """Start a round and note that `by` wants an e-mail when it ends. Raises BadAsker."""
        running_rounds.run(round=one, by=by)
        askers.expect(one, kind=self.notice, path=self.address(one), user=by)
        jobs.send_after_commit(self.task, one.pk)

    def act(self, do: str, one: Round, by: User) -> bool:
        """Act on a round; return False if it is deleted for good. Raises BadAsker."""
        if do == "delete":
            return self.delete(round=one, by=by)
        if do == "run":
            self.start(one, by)
        elif do == "pause":
            running_rounds.pause(round=one, by=by)
        else:
            self.restore(round=one, by=by)
        return True


class RoundList(Resource):
    """List the rounds of an owner, or create and run one."""

    acts: ClassVar = {"GET": Act.VIEW, "POST": Act.RUN}
    kind: ClassVar[RoundKind]

    def get(self, request: Request, **at: Any) -> Answer:
        rounds = self.kind.rounds(self.kind.owner(self.person, self.act, **at))
        return Answer([self.kind.row(one) for one in rounds])

    def post(self, request: Request, **at: Any) -> Answer:
        owner = self.kind.owner(self.person, self.act, **at)
        data = understood(self.kind.new, request.data)
        try:
            made = self.kind.set_up(owner, data, self.person)
            if data.get("run", True):
                self.kind.start(made, self.person)
        except (BadAsker, BadPrompt) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(self.kind.row(self.kind.find(owner, made.pk)), status=201)


class OneRound(Resource):
    """Show a round and its progress, or run, pause, delete or restore it."""

    acts: ClassVar = {"GET": Act.VIEW, "POST": Act.RUN}
    kind: ClassVar[RoundKind]
    number = "round"  # the part of the address that identifies the round

    def get(self, request: Request, **at: Any) -> Answer:
        _, one = self._found(at)
        return Answer(self.kind.row(one))

    def post(self, request: Request, **at: Any) -> Answer:
        owner, one = self._found(at)
        do = understood(RoundActSerializer, request.data)["do"]
        before = self.kind.row(one) if do == "delete" else {}
        try:
            if not self.kind.act(do, one, self.person):
                return Answer(before | {"state": Asker.State.WITHDRAWN})
        except BadAsker as error:
            raise DomainRefusal(error) from error
        return Answer(self.kind.row(self.kind.find(owner, one.pk)))

    def _found(self, at: dict[str, Any]) -> tuple[Any, Any]:
        owner = self.kind.owner(self.person, Act.VIEW, **at)
        one = self.kind.find(owner, at[self.number])
        return self.kind.owner(self.person, self.act, **at), one


def list_schema(get: str, post: str, *, new: Any, row: Any, what: tuple[str, str]) -> Any:
    """Return the description of a list by operation ids, serializers and sentences."""
    return extend_schema_view(
        get=extend_schema(operation_id=get, responses=row(many=True), description=what[0]),
        post=extend_schema(
            operation_id=post, request=new, responses={201: row}, description=what[1]
        ),
    )


def round_schema(get: str, post: str, *, row: Any, what: tuple[str, str]) -> Any:
    """Return the description of one round by operation ids, its serializer and sentences."""
    return extend_schema_view(
        get=extend_schema(operation_id=get, responses=row, description=what[0]),
        post=extend_schema(
            operation_id=post, request=RoundActSerializer, responses=row, description=what[1]
        ),
    )


def set_up_in_study(setting_up: Any, manner: type[ModelSettings], *, owned_as: str) -> Any:
    """Return a function that creates a round of a study from the data of its serializer.

    `setting_up` is the module of that name, `owned_as` its argument for the owner of the round.
    """

    def set_up(owner: Any, data: Mapping[str, Any], by: User) -> Any:
        names = [field.name for field in fields(manner) if field.name in data]
        return asker_views.set_up(
            setting_up,
            data,
            by,
            terms=Terms(**{name: data[name] for name in TERMS}),
            manner=manner(**{name: data[name] for name in names}),
            study=getattr(owner, "study", owner),
            owner={owned_as: owner},
        )

    return set_up
