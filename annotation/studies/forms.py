"""Entry and exit forms of a study, built from their specification."""

from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from django import forms

from annotation.studies.drafts.setting import Setting
from annotation.studies.instruments import EXPORT_NAME
from annotation.texts.sentences import marked


class FieldOption(msgspec.Struct, frozen=True):
    code: Annotated[str, Setting(title=marked("Stored as"), order=1, reshapes=True)]
    label: Annotated[str, Setting(title=marked("Answer"))]


class FieldSpec(msgspec.Struct, frozen=True):
    key: Annotated[str, replace(EXPORT_NAME, order=4)]
    kind: Annotated[
        Literal["choice", "scale", "text"],
        Setting(
            title=marked("Answer type"),
            order=2,
            choices=(
                ("choice", marked("single choice")),
                ("scale", marked("ordered choice")),
                ("text", "a text"),
            ),
            reshapes=True,
        ),
    ]
    label: Annotated[str, Setting(title=marked("Question"), order=1, wide=True)]
    options: list[FieldOption] = []
    required: Annotated[bool, Setting(title=marked("Required"), order=3)] = False


class StudyForm(forms.Form):
    """Fields of kind choice, scale (an ordered choice) and text."""

    def __init__(self, *args: Any, spec: list[dict[str, Any]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._asked = [question["key"] for question in spec]
        for entry in spec:
            self.fields[entry["key"]] = _field(entry)

    @property
    def answers(self) -> dict[str, Any]:
        """Return the answers by key of the specification. Only of a valid form."""
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
