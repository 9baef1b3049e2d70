"""Fields of the editor, made from the declared settings of studies and methods. Only reads."""

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any, Literal, get_origin

import msgspec
from django.utils.translation import gettext

from annotation.studies.drafts.editor_forms import NOT_FOLDED, Field, translated_choices
from annotation.studies.drafts.schema import SETTINGS, Document
from annotation.studies.drafts.setting import Setting, settings_in, value_type

WIDGETS = {bool: "yes", int: "number", float: "number", Decimal: "number", date: "day"}


def fields_of(form: str, document: Document, **more: dict[str, Any]) -> tuple[Field, ...]:
    """Return the shown fields of a group of the form.

    `more` has further arguments of `setting_field`, by the name of the setting.
    """
    return _fields(SETTINGS.values(), document, form, "", more)


def part_fields(
    struct: type[msgspec.Struct],
    part: dict[str, Any],
    *,
    at: str,
    form: str = "",
    **more: dict[str, Any],
) -> tuple[Field, ...]:
    """Return the same of a method or a part of it, which is plain data at a path."""
    return _fields(settings_in(struct), part, form, f"{at}/", more)


def setting_field(path: str, document: Document, **more: Any) -> Field:
    """Return the field of a setting; `more` overrides what is declared."""
    return _field(SETTINGS[path], document, "", more)


def _fields(
    settings: Iterable[Setting], whole: Any, form: str, at: str, more: dict[str, dict[str, Any]]
) -> tuple[Field, ...]:
    shown = [setting for setting in settings if setting.form == form and setting.shown(whole)]
    return tuple(
        _field(setting, whole, at, more.get(setting.path.rpartition("/")[2], {}))
        for setting in sorted(shown, key=lambda setting: setting.order)
    )


def _field(setting: Setting, whole: Any, at: str, more: dict[str, Any]) -> Field:
    value = setting.value_in(whole)
    is_choice = bool(setting.choices) or setting.widget == "choice"
    if isinstance(value, date) or (is_choice and not isinstance(value, str)):
        value = "" if value is None else str(value)
    declared: dict[str, Any] = {
        "label": _translated(setting.title, whole),
        "value": value,
        "control": _widget(setting),
        "help": _translated(setting.help, whole),
        "blank": _translated(setting.blank, whole),
        "unit": _unit(setting, whole),
        "choices": translated_choices(setting.choices),
        "suggestions": setting.suggestions,
        "wide": setting.wide,
        "shapes": _resolved(setting.reshapes, whole),
        "screen": setting.screen,
        "usual": setting.default if _resolved(setting.folds, whole) else NOT_FOLDED,
    }
    return Field(f"{at}{setting.path}", **(declared | more))


def _widget(setting: Setting) -> str:
    kind = value_type(setting.type)
    if setting.choices or get_origin(kind) is Literal:
        return "choice"
    return setting.widget or WIDGETS.get(kind, "line")


def _resolved(value: Any, whole: Any) -> Any:
    return value(whole) if callable(value) else value


def _translated(words: Any, whole: Any) -> str:
    resolved = _resolved(words, whole)
    return gettext(resolved) if resolved else ""


def _unit(setting: Setting, whole: Any) -> str:
    """Return the unit; a computed one has figures or a currency, which are not translated."""
    if callable(setting.unit):
        return str(setting.unit(whole))
    return _translated(setting.unit, whole)
