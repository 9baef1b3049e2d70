"""Form elements of questions, criteria and scales."""

from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.setting_fields import part_fields
from annotation.studies.drafts import paths
from annotation.studies.drafts.editor_forms import (
    Element,
    ElementList,
    Field,
    listing,
    translated_choices,
)
from annotation.studies.drafts.setting import declared_in
from judging.instruments.schema import CriterionSpec, OptionSpec, QuestionSpec, ScaleSpec
from judging.items.kinds import KINDS, item_kind


def question_element(
    path: str, each: dict[str, Any], at: str, one: dict[str, Any], own: set[str]
) -> Element:
    criteria = {criterion["key"]: criterion for criterion in one["criteria"]}
    scale_names = [(scale["key"], _scale_words(scale)) for scale in one["scales"]]
    criterion_names = [(criterion["key"], criterion["name"]) for criterion in one["criteria"]]
    question, *others = part_fields(
        QuestionSpec,
        each,
        at=path,
        scale={"choices": _known(scale_names, each["scale"])},
        criterion={"choices": _known(criterion_names, each["criterion"])},
    )
    fields: tuple[Field, ...] = ()
    if each["criterion"] in criteria and each["criterion"] in own:
        where = f"{at}/{paths.joined('criteria', each['criterion'])}"
        help = gettext("Shown next to the question.")
        name, _, definition, _ = part_fields(
            CriterionSpec, criteria[each["criterion"]], at=where, definition={"help": help}
        )
        fields = (name, definition)
    return Element(path, each["text"] or "New question", (question, *fields, *others))


def _known(choices: list[tuple[str, str]], value: str) -> tuple[tuple[str, str], ...]:
    """Return the choices with the current value, even if it is none of them."""
    return tuple(choices if value in dict(choices) else [(value, f"{value} (unknown)"), *choices])


def _scale_words(scale: dict[str, Any]) -> str:
    if scale["kind"] == "options":
        return " / ".join(option["label"] or "…" for option in scale["options"]) or scale["key"]
    if scale["kind"] == "range" and scale["min"] is not None and scale["max"] is not None:
        return f"{scale['min']:g} to {scale['max']:g}"
    return "a text" if scale["kind"] == "text" else scale["key"]


def criterion_element(path: str, each: dict[str, Any]) -> Element:
    return Element(path, each["name"] or each["key"], part_fields(CriterionSpec, each, at=path))


def scale_element(data: Any, path: str, each: dict[str, Any], one: dict[str, Any]) -> Element:
    lists: tuple[ElementList, ...] = ()
    if each["kind"] == "options":
        lists = (
            listing(
                data,
                f"{path}/options",
                gettext("Answers"),
                "answer",
                lambda where, option: _option(where, option, one["item_kind"]),
                dense=True,
            ),
        )
    return Element(path, _scale_words(each), part_fields(ScaleSpec, each, at=path), lists)


def _option(path: str, each: dict[str, Any], kind: str) -> Element:
    slots = item_kind(kind).slots if kind in KINDS else ()
    slot_names = [("", "–"), *((slot.name, slot.label) for slot in slots)]
    others = ("positive",) if each["role"] == "slot" else ("best", "worst")
    polarities = [
        choice for choice in declared_in(OptionSpec)["polarity"].choices if choice[0] not in others
    ]
    fields = part_fields(
        OptionSpec,
        each,
        at=path,
        slot={"choices": _known(slot_names, each["slot"] or "")},
        polarity={"choices": translated_choices(polarities)},
    )
    return Element(path, each["label"], fields)
