"""Conversion of form input to values of a document, by the type of each place."""

import math
import types
from collections.abc import Callable
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from django.utils.translation import gettext

from annotation.studies.drafts import paths
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.schema import Document
from annotation.texts.coded_errors import CodedError


class BadValue(CodedError):
    """Typed text that is no value for its field; the message is for the field."""


def type_at(kind: str, path: str) -> Any:
    """Return the type of the value at a path of a document. Raises paths.NoSuchPlace."""
    place_type: Any = Document
    parts = paths.split(path)
    for number, part in enumerate(parts):
        if parts[0] == "instruments" and number == 1:
            place_type = kind_of(kind).instrument
        elif isinstance(place_type, type) and issubclass(place_type, msgspec.Struct):
            hints = get_type_hints(place_type)
            if part not in hints:
                raise paths.NoSuchPlace(path)
            place_type = hints[part]
        elif get_origin(place_type) is list:
            place_type = get_args(place_type)[0]
        else:
            raise paths.NoSuchPlace(path)
    return place_type


def choices_of(as_type: Any) -> tuple[Any, ...]:
    """Return the values of a Literal; empty for other types."""
    whole = _without_none(as_type)
    return get_args(whole) if get_origin(whole) is Literal else ()


def read(as_type: Any, text: str) -> Any:
    """Return typed text as plain data of a type. Raises BadValue."""
    if as_type is not _without_none(as_type) and not text.strip():
        return None
    value_type = _without_none(as_type)
    if value_type is bool:
        return text in ("yes", "true", "on")
    if value_type in READERS:
        return READERS[value_type](text)
    if choices := choices_of(value_type):
        if text not in choices:
            raise BadValue(
                "not_a_choice",
                gettext("Choose one of {choices}.").format(choices=", ".join(choices)),
            )
        return text
    if value_type is not str:
        raise BadValue("not_single", gettext("Enter a single value."))
    if "\x00" in text:
        raise BadValue("invalid_character", gettext("This text has an invalid character."))
    return text.replace("\r\n", "\n")


def blank(as_type: Any, *, name: str) -> Any:
    """Return a new element of a list with its own name and minimal content."""
    values: dict[str, Any] = {}
    for field in msgspec.structs.fields(as_type):
        hint = get_type_hints(as_type)[field.name]
        if field.name == _identity(as_type):
            values[field.name] = name
        elif field.required:
            values[field.name] = _least(hint)
    return msgspec.convert(values, as_type)


def _identity(as_type: Any) -> str:
    names = as_type.__struct_fields__
    return next((name for name in paths.IDENTITY if name in names), "")


def _least(hint: Any) -> Any:
    if choices := choices_of(hint):
        return choices[0]
    if get_origin(hint) is list:
        return []
    return {int: 0, float: 0.0, bool: False}.get(hint, "")


def _without_none(as_type: Any) -> Any:
    if get_origin(as_type) in (Union, types.UnionType):
        left = [part for part in get_args(as_type) if part is not type(None)]
        return left[0] if len(left) == 1 else as_type
    return as_type


def _whole(text: str) -> int:
    try:
        number = int(text.strip())
    except ValueError as error:
        raise BadValue("not_whole", gettext("Enter a whole number.")) from error
    if abs(number) >= 2**63:
        raise BadValue("too_large", gettext("This number is too large."))
    return number


def _number(text: str) -> float:
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError as error:
        raise BadValue("not_a_number", gettext("Enter a number.")) from error
    if not math.isfinite(number):
        raise BadValue("not_a_number", gettext("Enter a number."))
    return number


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError as error:
        raise BadValue("not_a_date", gettext("Enter a date, such as 2027-03-31.")) from error


def _amount(text: str) -> str:
    try:
        amount = Decimal(text.strip().replace(",", "."))
    except InvalidOperation as error:
        raise BadValue("not_an_amount", gettext("Enter an amount, such as 5.50.")) from error
    if not amount.is_finite() or abs(amount) > 10**9:
        raise BadValue("not_an_amount", gettext("Enter an amount, such as 5.50."))
    return str(amount)


READERS: dict[Any, Callable[[str], Any]] = {
    int: _whole,
    float: _number,
    Decimal: _amount,
    date: _day,
}
