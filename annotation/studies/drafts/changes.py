"""Changes of a document: what is asked for, what was done, and how it is undone. Pure."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from annotation.studies.drafts import paths

Op = Literal["set", "add", "remove", "move"]


@dataclass(frozen=True)
class DraftChange:
    """A requested change: set a value, or add, remove or move an element of a list."""

    op: Op
    path: str
    value: Any = None
    position: int | None = None


class DoneChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change that was made, with all that is needed to undo and redo it.

    A `set` has both values, the others the element and its position. `path` of an added element is
    its own. `now` is the new path if the value was the identity of its element.
    """

    op: Op
    path: str
    now: str = ""
    before: Any = None
    after: Any = None
    from_position: int = 0
    to_position: int = 0


def do(document: Any, change: DraftChange) -> DoneChange | None:
    """Change a document in place; None if it is so already. Raises NoSuchPlace."""
    if change.op == "add":
        path = paths.insert(document, change.path, deepcopy(change.value), change.position)
        return DoneChange("add", path, after=change.value, to_position=_position(document, path))
    if change.op == "remove":
        element, position = paths.take(document, change.path)
        return DoneChange("remove", change.path, before=element, from_position=position)
    if change.op == "move":
        return _move(document, change)
    before = paths.at(document, change.path)
    if before == change.value and type(before) is type(change.value):
        return None
    place = paths.indices(document, change.path)
    paths.put(document, change.path, deepcopy(change.value))
    path = paths.named(document, place)
    now = path if path != change.path else ""
    return DoneChange("set", change.path, now=now, before=before, after=change.value)


def _move(document: Any, change: DraftChange) -> DoneChange | None:
    before = _position(document, change.path)
    elements = paths.at(document, paths.above(change.path)[0])
    after = max(0, min(change.position or 0, len(elements) - 1))
    if before == after:
        return None
    elements.insert(after, elements.pop(before))
    path = paths.named(document, [*paths.indices(document, paths.above(change.path)[0]), after])
    now = path if path != change.path else ""
    return DoneChange("move", change.path, now=now, from_position=before, to_position=after)


def _position(document: Any, path: str) -> int:
    head, name = paths.above(path)
    elements = paths.at(document, head)
    element_names = paths.names(elements) if isinstance(elements, list) else []
    if name not in element_names:
        raise paths.NoSuchPlace(path)
    return element_names.index(name)


def undo_of(done: DoneChange) -> DraftChange:
    """Return the change that undoes this one."""
    if done.op == "add":
        return DraftChange("remove", done.path)
    if done.op == "remove":
        head, _ = paths.above(done.path)
        return DraftChange("add", head, done.before, done.from_position)
    if done.op == "move":
        return DraftChange("move", done.now or done.path, position=done.from_position)
    return DraftChange("set", done.now or done.path, done.before)


def redo_of(done: DoneChange) -> DraftChange:
    """Return the change that redoes this one."""
    if done.op == "add":
        head, _ = paths.above(done.path)
        return DraftChange("add", head, done.after, done.to_position)
    if done.op == "move":
        return DraftChange("move", done.path, position=done.to_position)
    return DraftChange(done.op, done.path, done.after)


def path_after(path: str, since: Iterable[DoneChange]) -> str:
    """Return a path after elements that it goes through were renamed."""
    for done in since:
        if done.now:
            old, new = paths.above(done.path)[0], paths.above(done.now)[0]
            if path.startswith(f"{old}/"):
                path = new + path.removeprefix(old)
    return path


def document_before(document: Any, latest_first: Iterable[DoneChange]) -> Any:
    """Return the document before these changes."""
    before = deepcopy(document)
    for done in latest_first:
        do(before, undo_of(done))
    return before
