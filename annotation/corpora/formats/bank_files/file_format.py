"""Base class for formats of bank files: read rows as items, and write them back. Pure."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from annotation.texts.sentences import Sentence

IMPORTANCE = ("vital", "okay", "avoid")
Json = dict[str, Any]


class BadRow(ValueError):
    """A row that the format can't read; `field` is the part with the fault."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field, self.reason = field, reason


@dataclass(frozen=True)
class BankItem:
    """An entry of a file. `raw` is its whole JSON, `name` its key if items are an object."""

    text: str
    raw: Json
    facet: str = ""
    importance: str = ""
    answers: list[Json] = field(default_factory=list)
    aggregator: str = ""
    author: str = ""
    model: str = ""
    prompt_version: str = ""
    is_question: bool = False
    name: str | None = None


@dataclass(frozen=True)
class BankRow:
    """A topic of a file with its items; `rest` is the row without the items."""

    topic: str
    query: str
    items: list[BankItem]
    rest: Json
    left_out: Json = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenEntry:
    """A bank entry to write; `raw` and `name` come from the imported file, if any."""

    topic: str
    query: str
    facet: str
    key: str
    text: str
    is_question: bool
    importance: str = ""
    answers: list[Json] = field(default_factory=list)
    aggregator: str = ""
    author: str = ""
    model: str = ""
    prompt_version: str = ""
    raw: Json | None = None
    name: str | None = None


class BankFormat(ABC):
    """Reader and writer for the files of one system."""

    name: str
    title: str
    has_facets = False
    has_avoid = True

    @abstractmethod
    def is_row(self, row: Json) -> bool:
        """Return whether a row has this format."""

    @abstractmethod
    def read(self, row: Json) -> BankRow:
        """Return the items of a row. Raises BadRow."""

    @abstractmethod
    def item(self, raw: Json, *, rest: Json, name: str | None = None) -> BankItem:
        """Return one item. Raises BadRow."""

    @abstractmethod
    def new_item(self, entry: WrittenEntry) -> Json:
        """Return a new item for an entry that was not imported."""

    @abstractmethod
    def new_row(self, entry: WrittenEntry, *, collection: str, title: str) -> Json:
        """Return a new row without items for the topic and facet of an entry."""

    @abstractmethod
    def row(self, rest: Json, items: list[tuple[WrittenEntry, Json]]) -> Json:
        """Return a row completed with its items."""

    @abstractmethod
    def change(self, raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
        """Update an item with the decisions since its import."""

    def written_item(self, entry: WrittenEntry, rest: Json) -> Json:
        """Return the item of an entry: the imported JSON updated with later decisions."""
        if entry.raw is None:
            return self.new_item(entry)
        raw = dict(entry.raw)
        self.change(raw, entry, before=self.item(raw, rest=rest, name=entry.name))
        return raw


def text_of(row: Json, name: str) -> str:
    """Return a required text of a row. Raises BadRow."""
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise BadRow(name, Sentence("is missing or not a text"))
    return value


def optional_text(row: Json, name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def objects_of(value: Any, name: str) -> list[Json]:
    """Return a list of objects. Raises BadRow."""
    if not isinstance(value, list) or not all(isinstance(part, dict) for part in value):
        raise BadRow(name, Sentence("is not a list of objects"))
    return value


def importance_of(row: Json) -> str:
    """Return the importance if decisions support it, else ""; the item keeps its own value."""
    value = row.get("importance")
    return value if value in IMPORTANCE else ""


def put(row: Json, name: str, value: Any) -> None:
    """Set a field, or remove it if the value is empty."""
    if value in ("", None, [], {}):
        row.pop(name, None)
    else:
        row[name] = value
