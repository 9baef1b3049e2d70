"""Paths in a document, which stay the same while other elements are added and moved.

A path is keys joined by "/": `instruments/crowdrag-pairwise/questions/coverage_broad/text`. An
element of a list goes by its key, code, style or name, or by itself if it is a text; by its number
("#2") if that is not unique. "/" and "~" in a key are written ~1 and ~0, as in RFC 6901. Pure:
works on plain data and changes it in place.
"""

from collections import Counter
from typing import Any

from annotation.texts.sentences import Sentence

IDENTITY = ("key", "code", "style", "name")


class NoSuchPlace(LookupError):
    """The document has no such place (any more)."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(Sentence("The document has no field {path!r}.", path=path))


class _Missing:
    def __repr__(self) -> str:
        return "missing"


MISSING = _Missing()


def joined(*parts: object) -> str:
    return "/".join(str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def split(path: str) -> list[str]:
    parts = path.split("/") if path else []
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def above(path: str) -> tuple[str, str]:
    """Return the path of the parent, and the name of the place in it."""
    head, _, tail = path.rpartition("/")
    return head, tail.replace("~1", "/").replace("~0", "~")


def names(elements: list[Any]) -> list[str]:
    """Return the names of the elements of a list."""
    identities = [_identity(element) for element in elements]
    times = Counter(identities)
    return [
        name if name and times[name] == 1 and not name.startswith("#") else f"#{index}"
        for index, name in enumerate(identities)
    ]


def _identity(element: Any) -> str:
    if isinstance(element, str):
        return element
    if not isinstance(element, dict):
        return ""
    return next((str(element[name]) for name in IDENTITY if name in element), "")


def get(data: Any, path: str) -> Any:
    """Return the value at a path, or MISSING."""
    for part in split(path):
        if isinstance(data, dict):
            data = data.get(part, MISSING)
        elif isinstance(data, list):
            index = _index(data, part)
            data = MISSING if index is None else data[index]
        else:
            return MISSING
    return data


def at(data: Any, path: str) -> Any:
    """Return the value at a path. Raises NoSuchPlace."""
    value = get(data, path)
    if value is MISSING:
        raise NoSuchPlace(path)
    return value


def _index(elements: list[Any], name: str) -> int | None:
    element_names = names(elements)
    return element_names.index(name) if name in element_names else None


def put(data: Any, path: str, value: Any) -> None:
    """Replace the value at a path. Raises NoSuchPlace."""
    head, name = above(path)
    place = at(data, head)
    at(data, path)
    if isinstance(place, dict):
        place[name] = value
    else:
        place[names(place).index(name)] = value


def indices(data: Any, path: str) -> list[str | int]:
    """Return the path with numbers in place of names of elements. Raises NoSuchPlace."""
    parts: list[str | int] = []
    for part in split(path):
        index = _index(data, part) if isinstance(data, list) else None
        parts.append(part if index is None else index)
        data = at(data, joined(part))
    return parts


def named(data: Any, found: list[str | int]) -> str:
    """Return the path with names in place of numbers of elements."""
    parts: list[str | int] = []
    for part in found:
        parts.append(names(data)[part] if isinstance(part, int) else part)
        data = data[part]
    return joined(*parts)


def insert(data: Any, path: str, value: Any, position: int | None = None) -> str:
    """Add an element to the list at the path, at the end by default; return its path.

    Raises NoSuchPlace.
    """
    elements = at(data, path)
    if not isinstance(elements, list):
        raise NoSuchPlace(path)
    index = len(elements) if position is None else max(0, min(position, len(elements)))
    elements.insert(index, value)
    return f"{path}/{joined(names(elements)[index])}"


def take(data: Any, path: str) -> tuple[Any, int]:
    """Remove an element from its list; return it and its position. Raises NoSuchPlace."""
    head, name = above(path)
    elements = at(data, head)
    index = _index(elements, name) if isinstance(elements, list) else None
    if index is None:
        raise NoSuchPlace(path)
    return elements.pop(index), index


def free_name(taken: list[str], stem: str) -> str:
    """Return the first free name of question-1, question-2, ..."""
    return next(name for n in range(1, len(taken) + 2) if (name := f"{stem}-{n}") not in taken)
