"""Places in a document, named so that they stay the same while others add and move things.

A path is keys joined by "/": `instruments/crowdrag-pairwise/questions/coverage_broad/text`. An
element of a list goes by what identifies it (its key, code, style or name; a text by itself), or,
where two have the same or none has any, by its number: "#2". "/" and "~" in a key are written ~1
and ~0, as in RFC 6901. Pure; everything here works on plain data and changes it in place.
"""

from collections import Counter
from typing import Any

from annotation.texts.sentences import Sentence

IDENTITY = ("key", "code", "style", "name")


class NoSuchPlace(LookupError):
    """The document has no such place (any more)."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(Sentence("The document has no place {path!r}.", path=path))


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
    """The path of what a place is in, and the name of the place there."""
    head, _, tail = path.rpartition("/")
    return head, tail.replace("~1", "/").replace("~0", "~")


def names(elements: list[Any]) -> list[str]:
    """What the elements of a list go by."""
    found = [_identity(each) for each in elements]
    times = Counter(found)
    return [
        name if name and times[name] == 1 and not name.startswith("#") else f"#{index}"
        for index, name in enumerate(found)
    ]


def _identity(element: Any) -> str:
    if isinstance(element, str):
        return element
    if not isinstance(element, dict):
        return ""
    return next((str(element[name]) for name in IDENTITY if name in element), "")


def get(data: Any, path: str) -> Any:
    """What stands there, or MISSING."""
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
    """What stands there. Raises NoSuchPlace."""
    found = get(data, path)
    if found is MISSING:
        raise NoSuchPlace(path)
    return found


def _index(elements: list[Any], name: str) -> int | None:
    found = names(elements)
    return found.index(name) if name in found else None


def put(data: Any, path: str, value: Any) -> None:
    """Set what is there already. Raises NoSuchPlace."""
    head, name = above(path)
    place = at(data, head)
    at(data, path)
    if isinstance(place, dict):
        place[name] = value
    else:
        place[names(place).index(name)] = value


def indices(data: Any, path: str) -> list[str | int]:
    """The path with the numbers of elements for their names. Raises NoSuchPlace."""
    found: list[str | int] = []
    for part in split(path):
        index = _index(data, part) if isinstance(data, list) else None
        found.append(part if index is None else index)
        data = at(data, joined(part))
    return found


def named(data: Any, found: list[str | int]) -> str:
    """The path of what has these numbers."""
    parts: list[str | int] = []
    for part in found:
        parts.append(names(data)[part] if isinstance(part, int) else part)
        data = data[part]
    return joined(*parts)


def insert(data: Any, path: str, value: Any, position: int | None = None) -> str:
    """Add an element to the list at the path, at the end if no position is said; its path.

    Raises NoSuchPlace.
    """
    elements = at(data, path)
    if not isinstance(elements, list):
        raise NoSuchPlace(path)
    index = len(elements) if position is None else max(0, min(position, len(elements)))
    elements.insert(index, value)
    return f"{path}/{joined(names(elements)[index])}"


def take(data: Any, path: str) -> tuple[Any, int]:
    """Take an element out of its list; what it was and where it stood. Raises NoSuchPlace."""
    head, name = above(path)
    elements = at(data, head)
    index = _index(elements, name) if isinstance(elements, list) else None
    if index is None:
        raise NoSuchPlace(path)
    return elements.pop(index), index


def free_name(taken: list[str], stem: str) -> str:
    """A name that no element has: question-1, question-2, ..."""
    return next(name for n in range(1, len(taken) + 2) if (name := f"{stem}-{n}") not in taken)
