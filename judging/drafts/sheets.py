"""Form groups of a judging instrument."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.instrument_fields import consent_field, export_name, form_listing
from annotation.console.builder.screening_form import screening_groups
from annotation.console.builder.setting_fields import fields_of
from annotation.console.builder.system_choice import systems_group
from annotation.studies.drafts import paths
from annotation.studies.drafts.editor_forms import (
    Field,
    FieldGroup,
    listing,
    translated_choices,
)
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Document
from judging.designers.designs import DESIGNERS, shows_documents, unfit
from judging.drafts.check_sheets import check_groups, policies, training
from judging.drafts.question_sheets import (
    criterion_element,
    question_element,
    scale_element,
)
from judging.drafts.score_sheets import score_fields
from judging.drafts.sheet_labels import (
    DESIGNER_NAMES,
    KIND_NAMES,
)
from judging.drafts.systems import shows_texts
from judging.items.kinds import KINDS, ItemKind, item_kind


def groups(document: Document) -> Iterator[FieldGroup]:
    yield from screening_groups(document)
    if document.design.systems is not None or shows_texts(_kinds(document)):
        yield systems_group(document)
    data = plain(document)
    for name, one in zip(paths.names(data["instruments"]), data["instruments"], strict=True):
        at = paths.joined("instruments", name)
        yield _texts(data, at, one)
        yield _instructions(at, one)
        yield FieldGroup(
            "forms",
            _of(gettext("Exit form"), one, data),
            lists=(form_listing(data, f"{at}/exit_form", gettext("After the last page")),),
        )
        yield training(at, one, data, _of)
        yield _design(at, one, data)
        yield _time(at, one, data)
        yield _quality(at, one, data)
        yield from check_groups(at, one, data, _of)
    yield policies(document)
    if len(document.instruments) > 1:
        yield FieldGroup("design", gettext("Several methods"), fields_of("methods", document))


def _kinds(document: Document) -> list[str]:
    return [instrument["item_kind"] for instrument in document.instruments]


def _of(title: str, one: dict[str, Any], data: Any) -> str:
    return f"{title}: {one['title']}" if len(data["instruments"]) > 1 else title


def _texts(data: Any, at: str, one: dict[str, Any]) -> FieldGroup:
    asked_criteria = [each["criterion"] for each in one["questions"]]
    single_criteria = {key for key in asked_criteria if asked_criteria.count(key) == 1}
    lists = (
        listing(
            data,
            f"{at}/questions",
            gettext("Questions"),
            "question",
            lambda path, each: question_element(path, each, at, one, single_criteria),
        ),
        listing(
            {
                **data,
                "instruments": [_without(each, single_criteria) for each in data["instruments"]],
            },
            f"{at}/criteria",
            gettext("Criteria of several questions"),
            "criterion",
            criterion_element,
            help=gettext(
                "Questions that are about the same have their criterion here. Other questions "
                "bring their own. Points and exam questions that pages show are criteria, too."
            ),
            seldom=True,
        ),
        listing(
            data,
            f"{at}/scales",
            gettext("Ways to answer"),
            gettext("way to answer"),
            lambda path, each: scale_element(data, path, each, one),
        ),
    )
    fields = (
        Field(f"{at}/title", gettext("Name of the method"), one["title"], wide=True),
        Field(
            f"{at}/item_kind",
            gettext("A page shows"),
            one["item_kind"],
            "choice",
            choices=translated_choices((name, KIND_NAMES.get(name, name)) for name in KINDS),
            shapes=True,
        ),
        export_name(f"{at}/name", one["name"]),
    )
    return FieldGroup("texts", _of(gettext("What is asked"), one, data), fields, lists, path=at)


def _without(one: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    """Return the instrument without the criteria that are edited with their one question."""
    return {
        **one,
        "criteria": [criterion for criterion in one["criteria"] if criterion["key"] not in keys],
    }


def _instructions(at: str, one: dict[str, Any]) -> FieldGroup:
    return FieldGroup(
        "instructions",
        one["title"],
        (
            Field(
                f"{at}/instructions",
                gettext("Instructions"),
                one["instructions"],
                "markdown",
                wide=True,
                screen="instructions",
                help=gettext(
                    "{items}, {minutes} and {pay} become the figures of the worker's own task."
                ),
            ),
            consent_field(
                at,
                one,
                help=gettext(
                    "What people agree to before they take part. Methods with the same text show "
                    "it once."
                ),
            ),
        ),
    )


def _design(at: str, one: dict[str, Any], data: Any) -> FieldGroup:
    figures, where = one["defaults"], f"{at}/defaults"
    kind = item_kind(one["item_kind"]) if one["item_kind"] in KINDS else None
    fits = [name for name in DESIGNERS if kind and not unfit(designer=name, kind=kind)]
    fields = [
        Field(
            f"{at}/designer",
            gettext("Pages are made of"),
            one["designer"],
            "choice",
            choices=(
                ("", _as_usual(kind)),
                *translated_choices((n, DESIGNER_NAMES.get(n, n)) for n in fits),
            ),
            shapes=True,
            usual="",
        ),
        Field(
            f"{where}/items_per_questionnaire",
            gettext("Pages in a questionnaire"),
            figures["items_per_questionnaire"],
            "number",
        ),
        Field(
            f"{where}/quota", gettext("Workers for each questionnaire"), figures["quota"], "number"
        ),
    ]
    designer = one["designer"] or (kind.designer if kind else "")
    if designer == "all_pairs":
        fields.append(
            Field(
                f"{where}/games_per_topic",
                gettext("Pairs of a topic"),
                figures["games_per_topic"],
                "number",
                help=gettext(
                    "Left empty, all of them. Fewer are drawn by the seed, so that every system "
                    "stands equally often, or once more."
                ),
            )
        )
        fields.append(
            Field(
                f"{where}/reversed_share",
                gettext("Share of pairs asked in reverse, too"),
                figures["reversed_share"],
                "number",
                help=gettext("0 for none, 0.3333 for a third as in the CrowdRAG paper, 1 for all.")
                if one["name"] == "crowdrag-pairwise"
                else gettext("0 for none, 0.3333 for a third, 1 for all."),
            )
        )
    if designer == "blocks":
        fields.append(
            Field(
                f"{where}/rounds",
                gettext("Blocks that each text is in"),
                figures["rounds"],
                "number",
            )
        )
    if kind and any(slot.holds == "passage" for slot in kind.slots):
        fields.append(
            Field(
                f"{where}/depth",
                gettext("Best passages of a topic"),
                figures["depth"],
                "number",
                help=gettext("Left empty, all."),
            )
        )
    if kind and shows_documents(kind):
        fields += score_fields(where, figures)
    fields += [
        Field(
            f"{where}/topics_together",
            gettext("A questionnaire has all pages of a topic"),
            figures["topics_together"],
            "yes",
            usual=False,
        ),
        Field(
            f"{at}/item_order",
            gettext("Order of pages"),
            one["item_order"],
            "choice",
            choices=(
                ("drawn", gettext("drawn for each worker")),
                ("fixed", gettext("as designed")),
            ),
            usual="drawn",
        ),
    ]
    return FieldGroup("design", _of(gettext("Questionnaires"), one, data), tuple(fields))


def _as_usual(kind: ItemKind | None) -> str:
    """Return the default designer's name for this kind."""
    if kind is None or kind.designer not in DESIGNER_NAMES:
        return gettext("as usual for these texts")
    designer = gettext(DESIGNER_NAMES[kind.designer])
    return gettext("{designer}, as usual for these texts").format(designer=designer)


def _time(at: str, one: dict[str, Any], data: Any) -> FieldGroup:
    minutes = Field(
        f"{at}/defaults/minutes",
        gettext("Expected time for one task"),
        one["defaults"]["minutes"],
        "number",
        unit="minutes",
        shapes=True,  # the suggested pay
    )
    return FieldGroup("recruitment", _of(gettext("Time"), one, data), (minutes,))


def _quality(at: str, one: dict[str, Any], data: Any) -> FieldGroup:
    fields = (
        Field(
            f"{at}/defaults/minimum_seconds",
            gettext("Least time for a task"),
            one["defaults"]["minimum_seconds"],
            "number",
            unit="seconds",
            help=gettext("Faster work is marked for review, never refused."),
        ),
        Field(
            f"{at}/defaults/minimum_item_seconds",
            gettext("Least time for a page"),
            one["defaults"]["minimum_item_seconds"],
            "number",
            unit="seconds",
            help=gettext("Work is marked where a third of its pages took less. 0 for no limit."),
        ),
    )
    return FieldGroup("quality", _of(gettext("Least time"), one, data), fields)
