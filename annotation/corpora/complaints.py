"""The sentence for a row that cannot be read."""

import re

import msgspec

from annotation.corpora.rows import A_RANK
from annotation.corpora.schema import Kind, fields_of, listed

ROW_ERRORS = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_EXPECTED = {
    "": "an object with named fields",
    "rank": A_RANK,
    "score": "a number",
    "style": "bullet, essay, news or free",
    "origin": "human or llm",
    "references_ids": "a list of texts",
    "references_texts": "a list of texts",
    "overview": "an object with text and citations",
    "sections": "a list of objects with heading and statements",
    "references": "a list of texts",
    "answer": "a list of objects with text and citations",
    "metadata": "an object with run_id and narrative_id",
}
_GOT = {
    "str": "text",
    "int": "a number",
    "float": "a number with a point",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "an object",
}


def unknown_field(kind: Kind) -> str:
    """Return why a field that the kind does not have is refused: it may be a slip of the pen."""
    return f"is not a field of {kind}: {listed(fields_of(kind))}"


def explained(error: Exception, kind: Kind | None) -> tuple[str, str]:
    """Return field and reason, in our words, for what msgspec refused."""
    if isinstance(error, UnicodeDecodeError):
        return "", "is not UTF-8"
    if isinstance(error, RecursionError):
        return "", "is nested too deeply"
    message, _, path = str(error).partition(" - at `$")
    field = path.strip("`.")
    if not isinstance(error, msgspec.ValidationError):
        return "", f"is not JSON: {message.removeprefix('JSON is malformed: ')}"
    if missing := re.match(r"Object missing required field `(.*)`", message):
        return missing[1], "is missing"
    if kind and (unknown := re.match(r"(?s)Object contains unknown field `(.*)`", message)):
        return unknown[1][:40], unknown_field(kind)
    got = re.search(r"(?s)(?:got `(.+)`|value (.+))$", message)
    value = (_GOT.get(got[1], got[1]) if got[1] else got[2][:60]) if got else message
    return field, f"must be {_EXPECTED.get(field, 'text')}, not {value}"
