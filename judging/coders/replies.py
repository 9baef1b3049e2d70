"""Codes that a model chose, read strictly: one JSON object with a list of keys, or nothing.

Structured answers are that object; in others the last line is. Pure: no Django.
"""

from collections.abc import Collection

from annotation.texts.sentences import marked
from judging.calls.replies import UnreadableAnswer, object_or_line, object_schema

NAME = "codes"
UNKNOWN = "unknown code"


def read(text: str, *, known: Collection[str], structured: bool) -> list[str]:
    """Return the chosen keys, each once, in the order of the codebook. Raises UnreadableAnswer."""
    content, _ = object_or_line(text, structured=structured)
    if content is None:
        raise UnreadableAnswer("unparsed", marked("The last line isn't a JSON object."))
    keys = content.get(NAME)
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise UnreadableAnswer("unparsed", marked("The list “codes” is missing."))
    if any(key not in known for key in keys):
        raise UnreadableAnswer(UNKNOWN, marked("The answer has a code that isn't in the codebook."))
    return [key for key in known if key in keys]


def schema(known: Collection[str]) -> dict[str, object]:
    """Return the schema of an answer."""
    return object_schema({NAME: {"type": "array", "items": {"type": "string", "enum": [*known]}}})
