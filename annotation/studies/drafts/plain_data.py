"""Conversion of study documents to and from plain JSON data, within its limits. Pure: no Django."""

import math
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from typing import Any, TypeVar

import msgspec

from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence

_NOT_KEPT = re.compile("[\x00\ud800-\udfff]")  # NUL, and half of a pair
T = TypeVar("T")
# Numbers of a document: whatever is made of a few of them is finite, and a seed is kept.
LARGEST = 2**63 - 1
SMALLEST = Decimal("1e-9")  # that is not 0
MAX_TITLE_LENGTH = 400  # characters
MAX_TEXT_LENGTH = 50_000  # characters of any other text
MAX_BYTES = 4_000_000  # of a whole document


class BadDocument(CodedError):
    """No document is like this; the message says where and why."""


class BadBank(BadDocument):
    """A file of many lines that a kind of study reads, and here cannot: no other kind has to."""


def typed(data: Any, as_type: type[T], *, where: str = "") -> T:
    """Return plain data as one of our types. Raises BadDocument."""
    try:
        return msgspec.convert(data, as_type)
    except msgspec.ValidationError as error:
        raise BadDocument("invalid", f"{where}{error}") from error


def plain(value: Any) -> Any:
    """Return JSON data with every key. Raises BadDocument for values that cannot be stored."""
    kind = type(value)
    if value is None or kind is bool or kind is int:  # most of what there is, with texts
        return value
    if kind is str and _keepable(value):
        return value
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(plain(key)): plain(element) for key, element in value.items()}
    if isinstance(value, list | tuple):
        return [plain(element) for element in value]
    if isinstance(value, Decimal | date):
        value = str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise BadDocument("odd_number", Sentence("A number isn't finite."))
    if isinstance(value, str) and not _keepable(value):
        raise BadDocument(
            "character", Sentence("A text has an invalid character (NUL or surrogate).")
        )
    return value


def require_short(value: Any, *, path: str = "") -> None:
    """Refuse plain data that has a text too long for a document. Raises BadDocument."""
    limit = MAX_TITLE_LENGTH if path == "title" else MAX_TEXT_LENGTH
    if isinstance(value, str) and len(value) > limit:
        raise BadDocument(
            "too_long",
            Sentence(
                "This text has {length} characters. The limit is {limit}.",
                length=f"{len(value):,}",
                limit=f"{limit:,}",
            ),
        )
    if isinstance(value, dict):
        for name, part in value.items():
            require_short(name)
            require_short(part, path=name if not path else f"{path}/{name}")
    if isinstance(value, list):
        for part in value:
            require_short(part, path=f"{path}/")


def require_small(document: Any) -> None:
    """Refuse a document in plain data that is too large to work with. Raises BadDocument."""
    if len(msgspec.json.encode(document)) > MAX_BYTES:
        raise BadDocument(
            "too_large",
            Sentence("The document exceeds the limit of {limit} MB.", limit=MAX_BYTES // 1_000_000),
        )


def odd_numbers(value: Any) -> Iterator[Decimal]:
    """Yield the numbers that nothing can be computed with; older drafts may have some."""
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for element in value:
            yield from odd_numbers(element)
    elif isinstance(value, int | float | Decimal):
        exact = Decimal(value)  # of some whole numbers no float can be made
        size = exact.copy_abs()
        if not exact.is_finite() or size > LARGEST or 0 < size < SMALLEST:
            yield exact


def _keepable(text: str) -> bool:
    return _NOT_KEPT.search(text) is None
