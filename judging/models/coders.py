"""Models of rounds in which an LLM codes the units of a coding."""

from typing import Any

from django.db import models

from annotation.models import Study, Team
from annotation.texts.sentences import marked
from judging.models.calls import Asker, Call, Wording, call_constraints, call_indexes, kept_to
from judging.models.coding import Coding, CodingUnit

ERASED = marked("The comment was erased.")


class CoderPrompt(Wording):
    """A version of a prompt that asks for the codes of a comment (see coders.wording)."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="coder_prompts", db_index=False)

    class Meta:
        ordering = ["study", "key", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "key", "version"], name="coder_prompt_version_once_per_study"
            )
        ]


class CoderRound(Asker):
    """An LLM as a coder: one call for each unit of a coding. It is no `Coder` of the coding."""

    coding = models.ForeignKey(Coding, models.CASCADE, related_name="llm_coders", db_index=False)
    prompt = models.ForeignKey(CoderPrompt, models.RESTRICT, related_name="rounds")

    class Meta:
        ordering = ["coding", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["coding", "name"], name="coder_round_name_once_per_coding"
            ),
            *kept_to("coder_round", "coder_round_state_known"),
        ]

    @property
    def study(self) -> Study:
        return self.coding.study

    @property
    def team(self) -> Team:
        return self.coding.study.team

    @property
    def currency(self) -> str:
        return self.coding.study.currency


class CoderCalls(models.QuerySet[Any]):
    def forget(self) -> None:
        """Blank calls about units that are erased; their costs stay. Late answers aren't saved."""
        State, blank = Call.State, {"request": {}, "prompt_hash": "", "raw": ""}
        self.filter(state=State.PREPARED).delete()
        self.filter(state=State.ANSWERED).update(parsed={}, counted=True, said="", **blank)
        lost = self.exclude(state=State.ANSWERED)
        lost.update(state=State.FAILED, error="withdrawn", said=ERASED, **blank)
        self.update(unit=None)


class CoderCall(Call):
    """A call about a unit; `parsed` holds its codes. A call without a unit was erased with it."""

    round = models.ForeignKey(CoderRound, models.CASCADE, related_name="calls", db_index=False)
    team = models.ForeignKey(
        Team, models.CASCADE, related_name="+", db_index=False, help_text="of the study"
    )
    unit = models.ForeignKey(
        CodingUnit, models.CASCADE, null=True, blank=True, related_name="llm_calls"
    )

    objects = CoderCalls.as_manager()

    class Meta:
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(fields=["round", "unit"], name="coder_call_once_per_unit"),
            *call_constraints("coder_call", kind="coder_"),
        ]
        indexes = call_indexes("coder_call", "round")

    def __str__(self) -> str:
        return f"{self.round} on {self.unit}: {self.state}"
