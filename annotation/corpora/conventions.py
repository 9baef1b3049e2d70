"""Values that are written by another convention and have one meaning, as ours."""

import re
from collections.abc import Mapping
from typing import Any

from annotation.corpora.schema import RowKind, fields_of

WHOLE = re.compile(r"[0-9]{1,18}(\.0+)?")  # a table with a gap writes its ranks as 1.0
DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")  # one thousand or one, nobody knows
# Who wrote a text, as others say it.
ORIGINS = {
    **dict.fromkeys(("people", "person", "crowd", "manual"), "human"),
    **dict.fromkeys(("model", "machine", "ai", "language model", "synthetic"), "llm"),
}


def as_meant(values: Mapping[str, Any], *, kind: RowKind) -> dict[str, Any]:
    """Return a row with numbers and words converted to our conventions where possible."""
    row = dict(values)
    fields = fields_of(kind)
    for name, read in _READ.items():
        if name in fields and name in row:
            row[name] = read(row[name])
    return row


def _whole(value: Any) -> Any:
    if isinstance(value, str) and WHOLE.fullmatch(value.strip()):
        return int(value.strip().partition(".")[0])
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _first(value: Any) -> Any:
    """Return a first number as the word of our fields, other values unchanged."""
    whole = _whole(value)
    return str(whole) if isinstance(whole, int) and not isinstance(whole, bool) else value


def _score(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    plain = value.strip()
    if DECIMAL_COMMA.fullmatch(plain) and not THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", ".")
    try:
        return float(plain)
    except ValueError:
        return value


def _key(value: Any) -> Any:
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    return str(whole) if isinstance(whole, int) and not isinstance(whole, bool) else value


def _word(value: Any) -> Any:
    return value.strip().casefold() if isinstance(value, str) else value


def _origin(value: Any) -> Any:
    word = _word(value)
    return ORIGINS.get(word, word) if isinstance(word, str) else value


def _yes_or_no(value: Any) -> Any:
    return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}.get(
        str(value).strip().casefold(), value
    )


_READ = {
    **dict.fromkeys(("topic", "passage", "response", "system", "qid", "did", "agent"), _key),
    "rank": _whole,
    "score": _score,
    "citations_from": _first,
    "ranks_from": _first,
    "style": _word,
    "origin": _origin,
    "is_empty": _yes_or_no,
}
