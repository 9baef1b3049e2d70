"""API of the LLM judges that grade all passages on a bank."""

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response as Answer

from annotation import jobs
from annotation.clock import database_now
from annotation.console.api.resource import DomainRefusal, Resource, understood
from annotation.models import WorkNotice
from annotation.people.access import Act
from judging import tasks
from judging.banks import grading
from judging.calls.asking import BadAsker, Terms
from judging.calls.progress import round_row
from judging.calls.prompts import BadPrompt
from judging.instruments.files import BadInstrument
from judging.machines import setting_up
from judging.models import MachineJudge
from judging.pages import askers
from judging.pages.bank_api import bank_for
from judging.pages.round_api import TERMS, RoundSerializer, TermsSerializer

State = MachineJudge.State


class NewGraderSerializer(TermsSerializer):
    """A model that grades the passages. A known model keeps its terms.

    `method` is a ready-made method for the study of the bank's current revision.
    """

    model = serializers.CharField(max_length=100)
    method = serializers.CharField(max_length=100, default="", allow_blank=True)


class GraderSerializer(RoundSerializer):
    """An LLM judge, its study and its progress."""

    study = serializers.CharField()
    version = serializers.IntegerField()


class Graders(Resource):
    """List the LLM judges of a bank, or grade what the model has not graded yet."""

    acts = {"GET": Act.VIEW, "POST": Act.RUN}

    @extend_schema(operation_id="bank_graders", responses=GraderSerializer(many=True))
    def get(self, request: Request, slug: str, pk: int) -> Answer:
        """List the LLM judges of a bank's studies with their progress."""
        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        return Answer([_row(judge) for judge in grading.graders_of(bank)])

    @extend_schema(
        operation_id="grade_bank", request=NewGraderSerializer, responses={201: GraderSerializer}
    )
    def post(self, request: Request, slug: str, pk: int) -> Answer:
        """Have a model grade all passages on the confirmed entries; send again to resume."""
        bank = bank_for(self.person, slug=slug, pk=pk, may=self.act)
        data = understood(NewGraderSerializer, request.data)
        try:
            with transaction.atomic():  # refused terms leave no study
                study = grading.study_of(bank, method=data["method"])
                judge = grading.grader_of(
                    study,
                    model=data["model"],
                    terms=Terms(**{name: data[name] for name in TERMS}),
                    key=data["key"],
                    by=self.person,
                    now=database_now(),
                )
            if data["run"] and judge.state not in (State.RUNNING, State.DONE):
                _run(judge, self.person)
        except (BadAsker, BadInstrument, BadPrompt) as error:
            raise DomainRefusal(error, status=400) from error
        return Answer(_row(grading.graders().get(pk=judge.pk)), status=201)


def _run(judge: MachineJudge, by: User) -> None:
    """Start a judge and note who wants an e-mail when it ends. Raises BadAsker."""
    setting_up.run(judge=judge, items=None, by=by)
    path = reverse("machine", args=[judge.study.slug, judge.study.version, judge.pk])
    askers.expect(judge, kind=WorkNotice.Kind.JUDGE, path=path, user=by)
    jobs.send_after_commit(tasks.rate, judge.pk)


def _row(judge: MachineJudge) -> dict[str, Any]:
    study = {"study": judge.study.slug, "version": judge.study.version}
    return round_row(judge) | study
