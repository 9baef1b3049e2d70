"""Machine judges with their prompts and calls."""

from django.db import models
from django.utils.translation import gettext_lazy

from annotation.models import Study, Team
from judging.models.calls import Asker, Call, Wording, call_constraints, call_indexes, kept_to
from judging.models.instruments import Instrument
from judging.models.items import Item
from judging.models.raters import Rater


class Prompt(Wording):
    """Prompt about an item (machines.prompts)."""

    study = models.ForeignKey(Study, models.CASCADE, related_name="prompts", db_index=False)

    class Meta:
        ordering = ["study", "key", "version"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "key", "version"], name="prompt_version_once_per_study"
            )
        ]


class MachineJudge(Asker):
    """A model behind an endpoint, a version of a prompt, and settings: one rater.

    Its properties as a rater never change. A withdrawn judge has no judgments; its calls and costs
    stay.
    """

    class Orders(models.TextChoices):
        ONE = "one", gettext_lazy("as designed")
        BOTH = "both", gettext_lazy("both orders")

    class Disagreement(models.TextChoices):
        TIE = "tie", gettext_lazy("a tie, where the question has one")
        FIRST = "first", gettext_lazy("the answer to the order as designed")

    study = models.ForeignKey(Study, models.CASCADE, related_name="machine_judges", db_index=False)
    rater = models.ForeignKey(Rater, models.PROTECT, related_name="machine_judges")
    prompt = models.ForeignKey(Prompt, models.RESTRICT, related_name="judges")
    at_once = models.BooleanField(default=True, help_text="all questions in one call")
    orders = models.CharField(max_length=4, choices=Orders, default=Orders.BOTH)
    on_disagreement = models.CharField(max_length=5, choices=Disagreement, default=Disagreement.TIE)
    wanted = models.PositiveIntegerField(
        null=True, blank=True, help_text="items, drawn by the seed of the study; empty for all"
    )

    class Meta:
        ordering = ["study", "name"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "name"], name="machine_judge_name_once_per_study"
            ),
            models.UniqueConstraint(
                fields=["study", "rater"], name="machine_judge_is_one_rater_of_a_study"
            ),
            *kept_to("machine", "machine_judge_state_known"),
        ]

    @property
    def team(self) -> Team:
        return self.study.team

    @property
    def wants(self) -> int | None:
        return self.wanted


class MachineCall(Call):
    """A call about an item in one order (0 as designed, 1 reversed).

    `parsed` maps question keys to answers, whatever order was shown: the key of the chosen text,
    the code of an option, or a number; of a question about each slot by question/slot.
    """

    judge = models.ForeignKey(MachineJudge, models.CASCADE, related_name="calls", db_index=False)
    team = models.ForeignKey(
        Team,
        models.CASCADE,
        related_name="+",
        db_index=False,
        help_text="of the study of the judge",
    )
    item = models.ForeignKey(Item, models.CASCADE, related_name="machine_calls")
    instrument = models.ForeignKey(Instrument, models.CASCADE, related_name="+", db_index=False)
    order = models.PositiveSmallIntegerField(help_text="0 as designed, 1 the other way round")
    shown = models.CharField(
        max_length=200, blank=True, help_text="slot names from left to right; empty if none moves"
    )
    asked = models.CharField(max_length=100, blank=True, help_text="the question; empty for all")
    questions = models.JSONField(help_text="keys of the questions")
    reasons = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ["judge", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["judge", "item", "instrument", "asked", "order"], name="machine_call_once"
            ),
            *call_constraints("machine_call"),
        ]
        indexes = call_indexes("machine_call", "judge")

    def __str__(self) -> str:
        return f"{self.judge} on {self.item}, order {self.order}: {self.state}"
