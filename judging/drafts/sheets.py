"""Form groups of a judging instrument."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.annotated_sections import value_text
from annotation.console.builder.instrument_fields import (
    form_listing,
    instructions_group,
    screening_groups,
)
from annotation.console.builder.setting_fields import fields_of, part_fields
from annotation.console.builder.system_choice import systems_group
from annotation.studies.drafts import paths
from annotation.studies.drafts.editor_forms import FieldGroup, listing, translated_choices
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Document
from annotation.texts.sentences import marked
from judging.designers.designs import DESIGNERS, unfit
from judging.drafts.check_sheets import check_groups, policies, training
from judging.drafts.question_sheets import criterion_element, question_element, scale_element
from judging.drafts.systems import shows_texts
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import KINDS, ItemKind, item_kind

KIND_NAMES = {
    "pair": marked("two texts side by side"),
    "response": marked("one text"),
    "block": marked("four texts"),
    "passage": marked("a passage"),
    "passage_criterion": marked("a passage and a nugget or question"),
    "response_entries": marked("an answer and all nuggets of its topic"),
    "pair_documents": marked("two texts, with documents"),
    "response_documents": marked("one text, with documents"),
    "statement_documents": marked("a statement and the documents it cites"),
    "overview": marked("an overview and the documents it cites"),
    "overview_sections": marked("an overview, its sections and the documents it cites"),
    "heading_statement": marked("a statement and its heading"),
    "heading_section": marked("a heading and its section"),
    "section_summary": marked("a section and another summary"),
    "summary_pair": marked("two summaries with all their parts"),
}
DESIGNER_NAMES = {
    "all_pairs": marked("every pair"),
    "pool": marked("each text on its own"),
    "blocks": marked("blocks of four"),
    "cross": marked("all combinations within each topic"),
    "entries": marked("each answer with all nuggets of its topic"),
    "citations": marked("texts with citations"),
    "overviews": marked("overviews with their sections"),
    "headings": marked("statements under headings"),
    "own_headings": marked("headings with their sections"),
    "coverage": marked("sections with other summaries"),
    "summary_pairs": marked("every pair of summaries with their parts"),
}


def groups(document: Document) -> Iterator[FieldGroup]:
    yield from screening_groups(document)
    if document.design.systems is not None or shows_texts(_kinds(document)):
        yield systems_group(document)
    data = plain(document)
    for name, one in zip(paths.names(data["instruments"]), data["instruments"], strict=True):
        at = paths.joined("instruments", name)
        yield _texts(data, at, one)
        yield instructions_group(InstrumentFile, at, one)
        yield FieldGroup(
            "forms",
            _of(gettext("Exit form"), one, data),
            lists=(form_listing(data, f"{at}/exit_form", gettext("After the last page")),),
        )
        yield training(at, one, data, _of)
        yield _design(at, one, data)
        minutes = part_fields(InstrumentFile, one, at=at, form="time")
        yield FieldGroup("recruitment", _of("", one, data), minutes)
        seconds = part_fields(InstrumentFile, one, at=at, form="quality")
        yield FieldGroup("quality", _of("", one, data), seconds)
        yield from check_groups(at, one, data, _of)
    yield policies(document)
    yield FieldGroup("design", gettext("The judging page"), fields_of("page", document))
    if len(document.instruments) > 1:
        yield FieldGroup("design", gettext("Several methods"), fields_of("methods", document))


def _kinds(document: Document) -> list[str]:
    return [instrument["item_kind"] for instrument in document.instruments]


def _of(title: str, one: dict[str, Any], data: Any) -> str:
    if len(data["instruments"]) == 1:
        return title
    return f"{title}: {one['title']}" if title else str(one["title"])


def _texts(data: Any, at: str, one: dict[str, Any]) -> FieldGroup:
    asked_criteria = [question["criterion"] for question in one["questions"]]
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
                "instruments": [
                    _without(instrument, single_criteria) for instrument in data["instruments"]
                ],
            },
            f"{at}/criteria",
            gettext("Shared criteria"),
            "criterion",
            criterion_element,
            help=gettext("Criteria, nuggets and exam questions shown on pages."),
            seldom=True,
        ),
        listing(
            data,
            f"{at}/scales",
            gettext("Scales"),
            gettext("scale"),
            lambda path, each: scale_element(data, path, each, one),
        ),
    )
    kinds = translated_choices((name, KIND_NAMES.get(name, name)) for name in KINDS)
    fields = part_fields(InstrumentFile, one, at=at, form="texts", item_kind={"choices": kinds})
    return FieldGroup("texts", _of(gettext("Questions"), one, data), fields, lists, path=at)


def _without(one: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    """Return the instrument without the criteria that are edited with their one question."""
    return {
        **one,
        "criteria": [criterion for criterion in one["criteria"] if criterion["key"] not in keys],
    }


def _design(at: str, one: dict[str, Any], data: Any) -> FieldGroup:
    kind = item_kind(one["item_kind"]) if one["item_kind"] in KINDS else None
    fits = [name for name in DESIGNERS if kind and not unfit(designer=name, kind=kind)]
    names = translated_choices((name, DESIGNER_NAMES.get(name, name)) for name in fits)
    designers = {"choices": (("", _as_usual(kind)), *names)}
    share = {"control": "choice", "choices": _reversed_choices(one["defaults"]["reversed_share"])}
    fields = part_fields(
        InstrumentFile, one, at=at, form="design", designer=designers, reversed_share=share
    )
    return FieldGroup("design", _of(gettext("Questionnaires"), one, data), fields)


def _reversed_choices(share: Any) -> tuple[tuple[str, str], ...]:
    """Return the usual shares of reversed pairs, and the present one if it is another."""
    usual = {"0": gettext("None"), value_text(1 / 3): gettext("A third"), "1": gettext("All")}
    present = value_text(share)
    return tuple((usual if present in usual else {present: present, **usual}).items())


def _as_usual(kind: ItemKind | None) -> str:
    """Return the default designer's name for this kind."""
    if kind is None or kind.designer not in DESIGNER_NAMES:
        return gettext("default for these texts")
    designer = gettext(DESIGNER_NAMES[kind.designer])
    return gettext("{designer} (default for these texts)").format(designer=designer)
