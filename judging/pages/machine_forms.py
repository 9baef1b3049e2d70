"""Form of a machine judge."""

from typing import Any

from django import forms

from judging.machines.setting_up import Character
from judging.models import MachineJudge
from judging.pages.askers import NEW, AskerForm, copy_of

TRUE_OR_FALSE = {"True": True, "False": False}


class JudgeForm(AskerForm):
    """All settings of a judge with the wording of its prompt."""

    at_once = forms.TypedChoiceField(
        choices=[("True", ""), ("False", "")], coerce=TRUE_OR_FALSE.__getitem__
    )
    orders = forms.ChoiceField(choices=MachineJudge.Orders.choices)
    on_disagreement = forms.ChoiceField(choices=MachineJudge.Disagreement.choices)

    def character(self) -> Character:
        return Character(**self.settings("at_once", "orders", "on_disagreement"))


def begun() -> dict[str, Any]:
    """Return the initial values of a new judge."""
    return NEW | {
        "at_once": "True",
        "orders": "both",
        "on_disagreement": "tie",
        "max_tokens": 500,
    }


def like(judge: MachineJudge) -> dict[str, Any]:
    """Return the initial values of a copy of this judge, without its key."""
    return copy_of(judge) | {
        "at_once": str(judge.at_once),
        "orders": judge.orders,
        "on_disagreement": judge.on_disagreement,
    }
