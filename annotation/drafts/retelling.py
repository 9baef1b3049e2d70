"""A draft gets another language: what its methods say comes along, what people wrote stays."""

from collections.abc import Iterator
from typing import Any

from annotation.drafts import paths
from annotation.drafts.changes import Change
from annotation.drafts.kinds import kind_of
from annotation.drafts.schema import plain
from annotation.studies.translations import texts_in


def retold(data: Any, *, language: str) -> Iterator[Change]:
    """The changes by which the texts of a document come in the language, where they still stand as
    the files of the methods have them. Only reads."""
    kind = kind_of(data["kind"])
    known = {
        name: (
            dict(texts_in(plain(kind.load(name, data["language"])))),
            dict(texts_in(plain(kind.load(name, language)))),
        )
        for name in kind.available()
    }
    said = {
        before[path]: words for before, after in known.values() for path, words in after.items()
    }
    instruments = data["instruments"]
    for name, one in zip(paths.names(instruments), instruments, strict=True):
        before, after = known.get(one["name"], ({}, {}))
        for path, words in texts_in(one):
            other = after.get(path) if before.get(path) == words else said.get(words)
            if other is not None and other != words:
                yield Change("set", f"{paths.joined('instruments', name)}/{path}", other)
