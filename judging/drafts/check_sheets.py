"""Form groups of attention, gold and training items and their policies."""

from collections.abc import Callable, Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.setting_fields import part_fields, setting_field
from annotation.studies.drafts.editor_forms import Element, Field, FieldGroup, listing
from annotation.studies.drafts.schema import SETTINGS, Document, Policies
from judging.drafts.item_choices import can_be_picked
from judging.instruments.schema import AttentionSpec, InstrumentFile, KnownSpec
from judging.items.contents import SLOT_MARK
from judging.items.kinds import KINDS


def check_groups(
    at: str, one: dict[str, Any], data: Any, of: Callable[[str, dict[str, Any], Any], str]
) -> Iterator[FieldGroup]:
    number = part_fields(InstrumentFile, one, at=at, form="checks")
    attention = listing(
        data,
        f"{at}/attention",
        gettext("Attention items"),
        gettext("attention item"),
        lambda path, each: _check(data, path, each, one),
        help=gettext("Pages that tell participants what to answer, excluded from results."),
    )
    gold = listing(
        data,
        f"{at}/gold",
        gettext("Gold items"),
        gettext("gold item"),
        lambda path, each: _check(data, path, each, one),
        help=gettext("Items with known answers, excluded from results."),
        pick=_can_be_picked(one),
    )
    yield FieldGroup(
        "quality",
        of(gettext("Checks"), one, data),
        number,
        (attention, gold),
    )


def _can_be_picked(one: dict[str, Any]) -> bool:
    return one["item_kind"] in KINDS and can_be_picked(KINDS[one["item_kind"]])


def training(
    at: str, one: dict[str, Any], data: Any, of: Callable[[str, dict[str, Any], Any], str]
) -> FieldGroup:
    pages = listing(
        data,
        f"{at}/training",
        gettext("Before the first page"),
        gettext("training item"),
        lambda path, each: _check(data, path, each, one),
        help=gettext("Practice items with feedback, in this order, excluded from results."),
        pick=_can_be_picked(one),
    )
    return FieldGroup("forms", of(gettext("Training"), one, data), lists=(pages,))


def _check(data: Any, path: str, each: dict[str, Any], one: dict[str, Any]) -> Element:
    struct = AttentionSpec if "text" in each else KnownSpec
    fields = part_fields(struct, each, at=path)
    if "/training/" not in path:
        fields = tuple(field for field in fields if not field.path.endswith("/explanation"))
    answers = listing(
        data,
        f"{path}/answers",
        gettext("Correct answers"),
        "answer",
        lambda where, answer: _answer(where, answer, one),
        help=gettext(
            "Empty: any answer is correct. Left and right refer to the item, not the screen."
        )
        if "item" in each
        else "",
        dense=True,
        adds=False,
    )
    return Element(path, each["key"], fields, (answers,))


def _answer(path: str, answer: dict[str, Any], one: dict[str, Any]) -> Element:
    questions = {question["key"]: question for question in one["questions"]}
    key, _, slot = answer["key"].partition(SLOT_MARK)
    question = questions.get(answer["key"]) or questions.get(key)
    scales = {scale["key"]: scale for scale in one["scales"]}
    scale = scales.get(question["scale"]) if question else None
    label = question["text"] if question else answer["key"]
    if question and question["key"] != answer["key"] and one["item_kind"] in KINDS:
        label = f"{label} {gettext(KINDS[one['item_kind']].label(slot))}"
    if scale and scale["kind"] == "options":
        choices = tuple((option["code"], option["label"]) for option in scale["options"])
        if answer["answer"] not in dict(choices):
            choices = ((answer["answer"], f"{answer['answer']} (unknown)"), *choices)
        field = Field(f"{path}/answer", label, answer["answer"], "choice", choices=choices)
    else:
        field = Field(f"{path}/answer", label, answer["answer"])
    return Element(path, label, (field,))


def policies(document: Document) -> FieldGroup:
    """Return the group of policies for flagged submissions."""
    fields = []
    for check in Policies.__struct_fields__:
        at = f"quality/policies/{check}"
        act = setting_field(f"{at}/act", document, label=gettext(str(SETTINGS[at].title)))
        fields.append(act)
        if act.value == "review":
            continue
        if check in ("attention", "gold"):
            fields.append(setting_field(f"{at}/least", document))
        fields.append(setting_field(f"{at}/automatic", document))
    return FieldGroup(
        "quality",
        gettext("Flagged submissions"),
        tuple(fields),
        help=gettext("Every flag shows its evidence."),
    )
