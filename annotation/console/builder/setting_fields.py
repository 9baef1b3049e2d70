"""Fields of the editor, made from the declared settings of a study. Only reads."""

from datetime import date
from decimal import Decimal
from typing import Any, Literal, get_origin

from django.utils.translation import gettext

from annotation.studies.drafts.editor_forms import NOT_FOLDED, Field, translated_choices
from annotation.studies.drafts.schema import SETTINGS, Document
from annotation.studies.drafts.setting import Setting, value_type

WIDGETS = {bool: "yes", int: "number", float: "number", Decimal: "number", date: "day"}


def fields_of(form: str, document: Document, **more: dict[str, Any]) -> tuple[Field, ...]:
    """Return the shown fields of a group of the form.

    `more` has further arguments of `setting_field`, by the name of the setting.
    """
    settings = [setting for setting in SETTINGS.values() if setting.form == form]
    return tuple(
        setting_field(setting.path, document, **more.get(setting.path.rpartition("/")[2], {}))
        for setting in sorted(settings, key=lambda setting: setting.order)
        if setting.shown(document)
    )


def setting_field(path: str, document: Document, **more: Any) -> Field:
    """Return the field of a setting; `more` overrides what is declared."""
    setting = SETTINGS[path]
    value = setting.value_in(document)
    is_choice = bool(setting.choices) or setting.widget == "choice"
    if isinstance(value, date) or (is_choice and not isinstance(value, str)):
        value = str(value)
    declared: dict[str, Any] = {
        "label": _translated(setting.title, document),
        "value": value,
        "control": _widget(setting),
        "help": _translated(setting.help, document),
        "unit": _unit(setting, document),
        "choices": translated_choices(setting.choices),
        "wide": setting.wide,
        "shapes": _resolved(setting.reshapes, document),
        "usual": setting.default if _resolved(setting.folds, document) else NOT_FOLDED,
    }
    return Field(path, **(declared | more))


def _widget(setting: Setting) -> str:
    kind = value_type(setting.type)
    if setting.choices or get_origin(kind) is Literal:
        return "choice"
    return setting.widget or WIDGETS.get(kind, "line")


def _resolved(value: Any, document: Document) -> Any:
    return value(document) if callable(value) else value


def _translated(words: Any, document: Document) -> str:
    resolved = _resolved(words, document)
    return gettext(resolved) if resolved else ""


def _unit(setting: Setting, document: Document) -> str:
    """Return the unit; a computed one has figures or a currency, which are not translated."""
    if callable(setting.unit):
        return str(setting.unit(document))
    return _translated(setting.unit, document)
