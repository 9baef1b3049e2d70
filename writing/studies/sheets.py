"""Places in the editor for the settings of a writing instrument. Only reads."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.instrument_fields import (
    form_listing,
    instructions_group,
    screening_groups,
)
from annotation.console.builder.setting_fields import fields_of, part_fields
from annotation.models import Style
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.editor_forms import Element, FieldGroup, listing
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.saving import NotSaved
from annotation.studies.drafts.schema import Document
from writing.instruments.schema import StyleSpec, WritingInstrument


def groups(document: Document) -> Iterator[FieldGroup]:
    yield from screening_groups(document)
    data = plain(document)
    for name, one in zip(paths.names(data["instruments"]), data["instruments"], strict=True):
        at = paths.joined("instruments", name)
        yield _texts(data, at, one)
        yield instructions_group(WritingInstrument, at, one)
        yield FieldGroup(
            "forms",
            gettext("Forms"),
            lists=(
                form_listing(data, f"{at}/entry_form", gettext("Before writing")),
                form_listing(data, f"{at}/exit_form", gettext("After writing")),
            ),
        )
        yield _onboarding(document)
        for section, form, title in (
            ("design", "design", gettext("Tasks")),
            ("recruitment", "time", ""),
            ("quality", "quality", ""),
        ):
            yield FieldGroup(section, title, part_fields(WritingInstrument, one, at=at, form=form))
        if len(one["styles"]) > 1:
            yield FieldGroup("design", gettext("Styles"), fields_of("methods", document))


def _texts(data: Any, at: str, one: dict[str, Any]) -> FieldGroup:
    fields = part_fields(WritingInstrument, one, at=at, form="texts")
    styles = listing(
        data,
        f"{at}/styles",
        gettext("Styles"),
        "style",
        _style,
        help=gettext("Every topic gets a text in each style."),
    )
    return FieldGroup("texts", gettext("Writing"), fields, (styles,), path=at)


def _style(path: str, one: dict[str, Any]) -> Element:
    return Element(path, one["name"] or one["style"], part_fields(StyleSpec, one, at=path))


def _onboarding(document: Document) -> FieldGroup:
    return FieldGroup(
        "forms",
        gettext("Onboarding"),
        fields_of("onboarding", document),
        help=gettext("Approved participants continue with the main tasks."),
    )


def adding(data: Any, path: str) -> list[DraftChange] | None:
    """Return the change that adds a style which the instrument lacks. Raises NotSaved."""
    if not path.endswith("/styles"):
        return None
    taken = {style["style"] for style in paths.at(data, path)}
    free = [value for value in Style.values if value not in taken]
    if not free:
        raise NotSaved(path, gettext("No more styles."))
    return [DraftChange("add", path, {"style": free[0], "name": "", "instructions": ""})]


def removing(data: Any, path: str) -> list[DraftChange]:
    return []
