"""Form of a machine judge."""

from typing import Any

from django import forms

from judging.calls.prompts import LIMIT
from judging.machines.setting_up import Character
from judging.models import MachineJudge
from judging.pages.terms_form import TermsForm, terms_of

TRUE_OR_FALSE = {"True": True, "False": False}


class JudgeForm(TermsForm):
    """All settings of a judge with the wording of its prompt."""

    name = forms.CharField(max_length=100)
    model = forms.CharField(max_length=100)
    protocol = forms.ChoiceField(choices=MachineJudge.Protocol.choices)
    prompt = forms.SlugField(max_length=40)
    system = forms.CharField(required=False, max_length=LIMIT, strip=False)
    user = forms.CharField(max_length=LIMIT, strip=False)
    at_once = forms.TypedChoiceField(
        choices=[("True", ""), ("False", "")], coerce=TRUE_OR_FALSE.__getitem__
    )
    orders = forms.ChoiceField(choices=MachineJudge.Orders.choices)
    on_disagreement = forms.ChoiceField(choices=MachineJudge.Disagreement.choices)
    structured = forms.BooleanField(required=False)
    temperature = forms.FloatField(required=False, min_value=0, max_value=2)
    max_tokens = forms.IntegerField(min_value=1, max_value=100_000)
    seed = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)

    def character(self) -> Character:
        data = self.cleaned_data
        return Character(
            model=data["model"].strip(),
            protocol=data["protocol"],
            at_once=data["at_once"],
            orders=data["orders"],
            on_disagreement=data["on_disagreement"],
            structured=data["structured"],
            temperature=data["temperature"],
            max_tokens=data["max_tokens"],
            seed=data["seed"],
        )


def begun() -> dict[str, Any]:
    """Return the initial values of a new judge."""
    return {
        "protocol": "chat",
        "at_once": "True",
        "orders": "both",
        "on_disagreement": "tie",
        "structured": True,
        "temperature": 0,
        "max_tokens": 500,
        "at_most": 8,
    }


def like(judge: MachineJudge) -> dict[str, Any]:
    """Return the initial values of a copy of this judge, without its key."""
    return terms_of(judge) | {
        "model": judge.model,
        "protocol": judge.protocol,
        "prompt": judge.prompt.key,
        "system": judge.prompt.system,
        "user": judge.prompt.user,
        "at_once": str(judge.at_once),
        "orders": judge.orders,
        "on_disagreement": judge.on_disagreement,
        "structured": judge.structured,
        **judge.settings,
    }
