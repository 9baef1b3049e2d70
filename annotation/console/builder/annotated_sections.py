"""Sections with what is wrong marked where it is to be mended, and what was typed kept."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from annotation.console.builder.suggestions import Suggestion
from annotation.studies.drafts.editor_forms import (
    EditorSection,
    Element,
    ElementList,
    Field,
    FieldGroup,
)
from annotation.studies.instruments import Fault

# Where a fault is shown whose place no section has.
FALLBACK = {
    "contact": "instructions",
    "onboarding": "forms",
    "design": "design",
    "recruitment": "recruitment",
    "quality": "quality",
}


@dataclass(frozen=True)
class FaultView:
    """A fault with its section and element; `is_todo` if its field is still empty."""

    sentence: str
    section: str
    anchor: str
    label: str = ""
    path: str = ""
    is_todo: bool = False


@dataclass(frozen=True)
class SectionCount:
    """A section with how much is to do in it; `is_wrong` where some of it was said wrongly."""

    section: EditorSection
    count: int
    is_wrong: bool


def section_counts(
    sections: Iterable[EditorSection], views: Collection[FaultView]
) -> list[SectionCount]:
    """Every section with its faults."""
    rows = []
    for section in sections:
        section_views = [view for view in views if view.section == section.key]
        rows.append(
            SectionCount(
                section, len(section_views), not all(view.is_todo for view in section_views)
            )
        )
    return rows


def anchor_of(path: str) -> str:
    """Return the HTML id of a path, which may have any characters."""
    return f"at-{sha256(path.encode()).hexdigest()[:12]}"


def value_text(value: Any) -> str:
    """Return a value as text for a field."""
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, list):
        return ", ".join(map(value_text, value))
    return str(value)


def annotated_section(
    section: EditorSection,
    *,
    faults: Mapping[str, str],
    kept: Mapping[str, str],
    theirs: Mapping[str, Any],
    offered: Mapping[str, Iterable[str]],
    todo: Collection[str] = (),
    origins: Mapping[str, str] | None = None,
    suggested: Mapping[str, Suggestion] | None = None,
) -> EditorSection:
    """Return a section with faults, unsaved input, conflicts and suggestions at their fields.

    `todo` are paths of empty fields, `origins` sentences about the source of values.
    """
    origins, suggested = origins or {}, suggested or {}

    def of_field(field: Field) -> Field:
        suggestion = suggested.get(field.path)
        hints = (
            field.hint,
            origins.get(field.path),
            suggestion.sentence if suggestion else None,
        )
        return replace(
            field,
            value=kept.get(field.path, field.value),
            fault=faults.get(field.path, ""),
            is_todo=field.path in todo,
            hint=" ".join(filter(None, hints)),
            take=suggestion.button if suggestion else "",
            theirs=value_text(theirs[field.path]) if field.path in theirs else None,
            suggestions=offered.get(field.path, field.suggestions),
        )

    def of_listing(one: ElementList) -> ElementList:
        elements = tuple(of_element(element) for element in one.elements)
        fault, is_todo = faults.get(one.path, ""), one.path in todo
        return replace(one, elements=elements, fault=fault, is_todo=is_todo)

    def of_element(one: Element) -> Element:
        fields = tuple(of_field(field) for field in one.fields)
        lists = tuple(of_listing(listing) for listing in one.lists)
        bad = any(field.fault for field in fields) or any(
            listing.fault or any(element.is_open for element in listing.elements)
            for listing in lists
        )
        return replace(one, fields=fields, lists=lists, is_open=one.is_open or bad)

    def of_group(one: FieldGroup) -> FieldGroup:
        return replace(
            one,
            fields=tuple(of_field(field) for field in one.fields),
            boxes=tuple(of_field(box) for box in one.boxes),
            lists=tuple(of_listing(listing) for listing in one.lists),
        )

    return replace(section, groups=tuple(of_group(group) for group in section.groups))


def places_of(sections: Iterable[EditorSection]) -> dict[str, tuple[str, str]]:
    """Where each path is edited: section and label."""
    places: dict[str, tuple[str, str]] = {}

    def note(section: str, fields: Iterable[Field], lists: Iterable[ElementList]) -> None:
        for field in fields:
            places.setdefault(field.path, (section, field.label))
        for one in lists:
            places.setdefault(one.path, (section, one.title))
            for element in one.elements:
                places.setdefault(element.path, (section, element.title))
                note(section, element.fields, element.lists)

    for section in sections:
        for group in section.groups:
            note(section.key, (*group.fields, *group.boxes), group.lists)
    return places


def fault_views(
    faults: Iterable[Fault], sections: Iterable[EditorSection], *, todo: Collection[str] = ()
) -> list[FaultView]:
    """Return faults with links to their fields, or to the nearest place around them."""
    places = places_of(sections)
    views = []
    for fault in faults:
        path = fault.path
        while path not in places and "/" in path:
            path = path.rpartition("/")[0]
        section, label = places.get(path, (FALLBACK.get(path.partition("/")[0], "texts"), ""))
        at, is_todo = anchor_of(path), fault.path in todo
        views.append(FaultView(fault.sentence, section, at, label, fault.path, is_todo))
    return views
