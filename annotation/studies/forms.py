"""Entry and exit forms of a study, built from their specification."""

from typing import Any, Literal

import msgspec
from django import forms


class FieldOption(msgspec.Struct, frozen=True):
    code: str
    label: str


class FieldSpec(msgspec.Struct, frozen=True):
    key: str
    kind: Literal["choice", "scale", "text"]
    label: str
    options: list[FieldOption] = []
    required: bool = False


class StudyForm(forms.Form):
    """Fields of kind choice, scale (an ordered choice) and text."""

    def __init__(self, *args: Any, spec: list[dict[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked = [each["key"] for each in spec]
        for each in spec:
            self.fields[each["key"]] = _field(each)

    @property
    def answers(self) -> dict[str, Any]:
        """What was answered, by the keys of the specification. Only of a valid form."""
        return {key: self.cleaned_data[key] for key in self._asked if self.cleaned_data[key]}


def _field(spec: dict[str, Any]) -> forms.Field:
    if spec["kind"] == "text":
        area = forms.Textarea(attrs={"rows": 4})
        return forms.CharField(
            label=spec["label"], required=spec["required"], widget=area, max_length=5000
        )
    choices = [(option["code"], option["label"]) for option in spec["options"]]
    return forms.ChoiceField(
        label=spec["label"], required=spec["required"], choices=choices, widget=forms.RadioSelect
    )
