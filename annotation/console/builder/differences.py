"""The differences between two documents, place by place."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from annotation.console.builder.annotated_sections import value_text
from annotation.studies.drafts import paths


@dataclass(frozen=True)
class Difference:
    """`what` is changed, added, removed or moved; of an element its first words stand for it."""

    path: str
    what: str
    before: str = ""
    after: str = ""

    @property
    def words(self) -> str:
        """The path for people: instruments › crowdrag pairwise › questions › ..."""
        return " › ".join(part.replace("_", " ") for part in paths.split(self.path))


def differences(before: Any, after: Any, path: str = "") -> list[Difference]:
    return list(_differences(before, after, path))


def _differences(before: Any, after: Any, path: str) -> Iterator[Difference]:
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            where = f"{path}/{paths.joined(name)}" if path else paths.joined(name)
            yield from _differences(before.get(name), after.get(name), where)
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    elif before != after:
        yield Difference(path, "changed", value_text(before), value_text(after))


def _of_lists(before: list[Any], after: list[Any], path: str) -> Iterator[Difference]:
    old = dict(zip(paths.names(before), before, strict=True))
    new = dict(zip(paths.names(after), after, strict=True))
    for name, element in old.items():
        where = f"{path}/{paths.joined(name)}"
        if name in new:
            yield from _differences(element, new[name], where)
        else:
            yield Difference(where, "removed", before=_words(element))
    for name, element in new.items():
        if name not in old:
            yield Difference(f"{path}/{paths.joined(name)}", "added", after=_words(element))
    common_names = [name for name in old if name in new]
    if common_names != [name for name in new if name in old]:
        yield Difference(
            path, "moved", ", ".join(common_names), ", ".join(n for n in new if n in old)
        )


def _words(element: Any) -> str:
    if not isinstance(element, dict):
        return value_text(element)
    return next((str(element[n]) for n in ("text", "label", "name", "title") if element.get(n)), "")
