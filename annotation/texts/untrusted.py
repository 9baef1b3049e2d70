"""Text and JSON from outside, cleaned where they enter.

A database keeps no NUL (PostgreSQL) and no half of a surrogate pair (neither), and JSON can hold
both as escapes. JSON can also be nested more deeply than code that walks it can follow. Pure.
"""

import json
from typing import Any

from annotation.texts.sentences import Sentence

DEPTH = 64  # levels of lists and objects; our own files need about ten


class TooDeep(ValueError):
    """JSON that is nested more deeply than anything of ours."""

    def __init__(self) -> None:
        super().__init__(Sentence("JSON can have at most {depth} nested levels.", depth=DEPTH))


class Unstorable(ValueError):
    """Text that no database keeps."""

    def __init__(self) -> None:
        super().__init__(Sentence("A text has an invalid character (NUL or surrogate)."))


def storable(text: str) -> str:
    """Return the text without NUL, and with a question mark for each half of a surrogate pair."""
    return text.replace("\x00", "").encode(errors="replace").decode()


def require_storable(value: Any, *, depth: int = DEPTH) -> None:
    """Refuse JSON that cannot be stored as it is. Raises TooDeep and Unstorable."""
    if isinstance(value, str):
        if storable(value) != value:
            raise Unstorable
    elif isinstance(value, list | dict):
        if depth <= 0:
            raise TooDeep
        parts = value if isinstance(value, list) else [*value, *value.values()]
        for part in parts:
            require_storable(part, depth=depth - 1)


def read_json(text: str | bytes, *, depth: int = DEPTH) -> Any:
    """Return the JSON in `text`, its strings storable.

    Raises
    ------
    ValueError
        Where it is not JSON (bytes: not UTF-8); `TooDeep` where it is nested too deeply.
    """
    try:
        return storable_json(json.loads(text), depth=depth)
    except RecursionError as error:
        raise TooDeep from error


def storable_json(value: Any, *, depth: int = DEPTH) -> Any:
    """Return the value with storable strings and names. Raises TooDeep."""
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list | dict):
        if depth <= 0:
            raise TooDeep
        if isinstance(value, list):
            return [storable_json(item, depth=depth - 1) for item in value]
        return {
            storable(name): storable_json(item, depth=depth - 1) for name, item in value.items()
        }
    return value
