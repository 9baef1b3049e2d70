"""What of a writing instrument is edited where. Only reads."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.instrument_fields import consent_field, export_name, form_listing
from annotation.console.builder.screening_form import screening_groups
from annotation.console.builder.setting_fields import fields_of
from annotation.models import Style
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import Change
from annotation.studies.drafts.editor_forms import Element, Field, FieldGroup, listing
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.saving import NotSaved
from annotation.studies.drafts.schema import Document


def groups(document: Document) -> Iterator[FieldGroup]:
    yield from screening_groups(document)
    data = plain(document)
    for name, one in zip(paths.names(data["instruments"]), data["instruments"], strict=True):
        at = paths.joined("instruments", name)
        yield _texts(data, at, one)
        yield _instructions(at, one)
        yield FieldGroup(
            "forms",
            gettext("Forms"),
            lists=(
                form_listing(data, f"{at}/entry_form", gettext("Before writing")),
                form_listing(data, f"{at}/exit_form", gettext("After writing")),
            ),
        )
        yield _onboarding(document)
        yield _design(at, one)
        yield _time(at, one)
        yield _quality(at, one)


def _texts(data: Any, at: str, one: dict[str, Any]) -> FieldGroup:
    fields = (
        Field(f"{at}/title", gettext("Name of the method"), one["title"], wide=True),
        Field(f"{at}/target_words", gettext("Words aimed at"), one["target_words"], "number"),
        Field(
            f"{at}/low_words",
            gettext("Words at least"),
            one["low_words"],
            "number",
            help=gettext("A shorter text can be submitted; its writer is told, and it is marked."),
        ),
        Field(f"{at}/high_words", gettext("Words at most"), one["high_words"], "number"),
        Field(
            f"{at}/passages",
            gettext("Passages that writers see"),
            one["passages"],
            "number",
            help=gettext("Of each topic, those with the best ranks. Left empty, all."),
        ),
        Field(
            f"{at}/copy_task",
            gettext("Copy task"),
            one["copy_task"],
            "yes",
            usual=False,
            help=gettext(
                "Writers may copy a sentence first. Fast typing is then flagged by their own pace."
            ),
        ),
        export_name(f"{at}/name", one["name"]),
    )
    styles = listing(
        data,
        f"{at}/styles",
        gettext("Styles"),
        "style",
        _style,
        help=gettext("Each topic is written about in each style."),
    )
    return FieldGroup("texts", gettext("What is written"), fields, (styles,), path=at)


def _style(path: str, one: dict[str, Any]) -> Element:
    known = tuple((value, value) for value in Style.values)
    return Element(
        path,
        one["name"] or one["style"],
        (
            Field(f"{path}/name", gettext("Writers read"), one["name"]),
            Field(
                f"{path}/style",
                gettext("Stored as"),
                one["style"],
                "choice",
                choices=known,
                shapes=True,
            ),
            Field(
                f"{path}/instructions",
                gettext("What it means"),
                one["instructions"],
                "markdown",
                wide=True,
            ),
        ),
    )


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
                help=gettext("{words}, {minutes} and {pay} become figures."),
            ),
            Field(
                f"{at}/rule",
                gettext("The rule"),
                one["rule"],
                "markdown",
                wide=True,
                help=gettext("Writers acknowledge it before the first key."),
            ),
            consent_field(at, one),
        ),
    )


def _onboarding(document: Document) -> FieldGroup:
    return FieldGroup(
        "forms",
        gettext("Onboarding"),
        fields_of("onboarding", document),
        help=gettext("Who has enough texts accepted goes on to the other tasks."),
    )


def _design(at: str, one: dict[str, Any]) -> FieldGroup:
    quota = Field(
        f"{at}/defaults/quota",
        gettext("Writers for each topic and style"),
        one["defaults"]["quota"],
        "number",
    )
    return FieldGroup("design", gettext("Tasks"), (quota,))


def _time(at: str, one: dict[str, Any]) -> FieldGroup:
    minutes = Field(
        f"{at}/defaults/minutes",
        gettext("Expected time for one text"),
        one["defaults"]["minutes"],
        "number",
        unit="minutes",
        shapes=True,  # the suggested pay
    )
    return FieldGroup("recruitment", gettext("Time"), (minutes,))


def _quality(at: str, one: dict[str, Any]) -> FieldGroup:
    seconds = Field(
        f"{at}/defaults/minimum_seconds",
        gettext("Least time for a text"),
        one["defaults"]["minimum_seconds"],
        "number",
        unit="seconds",
        help=gettext("Faster work is marked for review, never refused."),
    )
    return FieldGroup("quality", gettext("Least time"), (seconds,))


def adding(data: Any, path: str) -> list[Change] | None:
    """Return the change that adds a style which the instrument lacks. Raises NotSaved."""
    if not path.endswith("/styles"):
        return None
    taken = {each["style"] for each in paths.at(data, path)}
    free = [value for value in Style.values if value not in taken]
    if not free:
        raise NotSaved(path, gettext("There are no more styles."))
    return [Change("add", path, {"style": free[0], "name": "", "instructions": ""})]


def removing(data: Any, path: str) -> list[Change]:
    return []
