"""Form for the rater and the remedies of a file of labels."""

from typing import Any

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from annotation.models import Study
from judging.labels import importing_files
from judging.labels.checking import MOST_VALUES
from judging.labels.importing import questions_of
from judging.labels.importing_files import RUBRIC

KINDS = (
    ("expert", gettext_lazy("an expert")),
    ("model", gettext_lazy("a model")),
    ("crowd", gettext_lazy("an external crowd (column “rater”)")),
    ("named", gettext_lazy("several raters (columns “rater” and “kind”)")),
)
REMEDY = "remedy-"  # before the code of a problem


class LabelsForm(forms.Form):
    """Form for the rater. `raters.registering` validates its properties."""

    kind = forms.ChoiceField(choices=())
    name = forms.CharField(required=False, max_length=100)
    model = forms.CharField(required=False, max_length=100)
    prompt_version = forms.CharField(required=False, max_length=100)
    settings = forms.CharField(required=False, max_length=300)
    question = forms.ChoiceField(required=False, choices=())

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data)
        graded = gettext("graders named in the file (Rubric passages)")
        kinds = [*KINDS, (RUBRIC, graded)] if importing_files.asks_about_points(study) else KINDS
        self.fields["kind"].choices = kinds  # type: ignore[attr-defined]
        questions = [("", gettext("none (every row has a question)")), *questions_of(study)]
        self.fields["question"].choices = questions  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        kind = data.get("kind")
        if kind in ("expert", "model") and not data.get("name"):
            self.add_error("name", gettext("Enter the rater's name."))
        if kind == "model" and not data.get("model"):
            self.add_error("model", gettext("Enter the model."))
        return data


def sent_choices(request: HttpRequest, form: LabelsForm) -> dict[str, Any]:
    """Return the submitted choices in the form that a file of labels stores.

    Invalid fields keep their previous value, so that the check still runs.
    """
    form.is_valid()
    fields = {name: request.POST.get(name, "") for name in form.fields}
    fields |= {name: form.cleaned_data[name] for name in fields if name in form.cleaned_data}
    if "kind" not in form.cleaned_data:
        fields["kind"] = "expert"
    if "question" not in form.cleaned_data:
        fields["question"] = ""
    values = (request.POST.getlist(name) for name in ("of_question", "value", "answer"))
    asks = (request.POST.getlist(name) for name in ("asked", "asks"))
    return {
        **{name: value.replace("\x00", "")[:300] for name, value in fields.items()},
        "values": list(zip(*values, strict=False))[:MOST_VALUES],
        "asks": list(zip(*asks, strict=False))[:MOST_VALUES],
        "remedies": {
            name.removeprefix(REMEDY): str(remedy)
            for name, remedy in request.POST.items()
            if name.startswith(REMEDY)
        },
    }
