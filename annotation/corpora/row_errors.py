"""The sentence for a row that cannot be read."""

import re
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.corpora.rows import a_rank
from annotation.corpora.schema import RowKind, fields_of, listed
from annotation.texts.json_faults import CUT_OFF
from annotation.texts.sentences import marked
from annotation.texts.translation import translated

_EXPECTED = {
    "": marked("an object with named fields"),
    "score": marked("a number"),
    "style": marked("bullet, essay, news or free"),
    "origin": marked("human or llm"),
    "citations_from": marked("0 or 1"),
    "ranks_from": marked("0 or 1"),
    "passages": marked("a list of texts or of objects with a text"),
    "references_ids": marked("a list of texts"),
    "references_texts": marked("a list of texts"),
    "overview": marked("an object with text and citations"),
    "sections": marked("a list of objects with heading and statements"),
    "references": marked("a list of texts"),
    "answer": marked("a list of objects with text and citations"),
    "is_empty": marked("true or false"),
    "messages": marked("a list of turns with role and content"),
    "metadata": marked("an object with run_id and narrative_id"),
}
_GOT = {
    "str": marked("text"),
    "int": marked("a number"),
    "float": marked("a decimal number"),
    "bool": marked("true or false"),
    "null": marked("nothing"),
    "array": marked("a list"),
    "object": marked("an object"),
}


def _expected(field: str) -> str:
    return a_rank() if field == "rank" else gettext(_EXPECTED.get(field, "text"))


def unknown_field(kind: RowKind) -> str:
    """Return why a field that the kind does not have is refused: it may be a slip of the pen."""
    return gettext("is not a field of {kind}. Fields: {fields_of}").format(
        kind=kind, fields_of=listed(fields_of(kind))
    )


def explained(error: Exception, kind: RowKind | None) -> tuple[str, str]:
    """Return field and reason, in our words, for what msgspec refused."""
    if isinstance(error, UnicodeDecodeError):
        return "", gettext("is not UTF-8")
    if isinstance(error, RecursionError):
        return "", gettext("is nested too deeply")
    message, _, path = str(error).partition(" - at `$")
    field = path.strip("`.")
    if not isinstance(error, msgspec.ValidationError):
        return "", translated(CUT_OFF)
    if missing := re.match(r"Object missing required field `(.*)`", message):
        return missing[1], gettext("is missing")
    if kind and (unknown := re.match(r"(?s)Object contains unknown field `(.*)`", message)):
        return unknown[1][:40], unknown_field(kind)
    got = re.search(r"(?s)(?:got `(.+)`|value (.+))$", message)
    if not got:
        return field, gettext("must be {expected}").format(expected=_expected(field))
    value = gettext(_GOT.get(got[1], got[1])) if got[1] else got[2][:60]
    return field, gettext("must be {expected}, not {value}").format(
        expected=_expected(field), value=value
    )


def object_fault(value: Any) -> tuple[str, str]:
    """Return field and reason where a value is no object with names, else two empty texts."""
    try:
        msgspec.convert(value, dict[str, Any])
    except msgspec.ValidationError as error:
        return explained(error, None)
    return "", ""
