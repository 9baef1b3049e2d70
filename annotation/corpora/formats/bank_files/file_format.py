"""A format of bank files: from a row to its items, and back. Pure."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from annotation.texts.sentences import Sentence

IMPORTANCE = ("vital", "okay", "avoid")
Json = dict[str, Any]


class BadRow(ValueError):
    """A row that the format cannot read, with the field."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field, self.reason = field, reason


@dataclass(frozen=True)
class BankItem:
    """An entry as a file has it; `raw` is all of it, and `name` its key in an object of items."""

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
    """A topic of a file with its items; `rest` is the row without them."""

    topic: str
    query: str
    items: list[BankItem]
    rest: Json
    left_out: Json = field(default_factory=dict)


@dataclass(frozen=True)
class WrittenEntry:
    """An entry of a bank to write; `raw` and `name` are of the file that it came from."""

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
    """Readers and writers of one system's files."""

    name: str
    title: str
    has_facets = False
    has_avoid = True

    @abstractmethod
    def is_row(self, row: Json) -> bool:
        """Return whether a row is of this format."""

    @abstractmethod
    def read(self, row: Json) -> BankRow:
        """Return the items of a row. Raises BadRow."""

    @abstractmethod
    def item(self, raw: Json, *, rest: Json, name: str | None = None) -> BankItem:
        """Return one item. Raises BadRow."""

    @abstractmethod
    def new_item(self, entry: WrittenEntry) -> Json:
        """Return the item of an entry that comes from no file."""

    @abstractmethod
    def new_row(self, entry: WrittenEntry, *, collection: str, title: str) -> Json:
        """Return a row without items for the topic and facet of an entry."""

    @abstractmethod
    def row(self, rest: Json, items: list[tuple[WrittenEntry, Json]]) -> Json:
        """Return a row with its items."""

    @abstractmethod
    def change(self, raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
        """Write into an item what was decided since it was read."""

    def written_item(self, entry: WrittenEntry, rest: Json) -> Json:
        """Return the item of an entry: as it came, with what was decided since."""
        if entry.raw is None:
            return self.new_item(entry)
        raw = dict(entry.raw)
        self.change(raw, entry, before=self.item(raw, rest=rest, name=entry.name))
        return raw


def text_of(row: Json, name: str) -> str:
    """Return a text that a row must have. Raises BadRow."""
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
    """Return an importance that decisions have, else nothing: the file's own stays in the item."""
    value = row.get("importance")
    return value if value in IMPORTANCE else ""


def put(row: Json, name: str, value: Any) -> None:
    """Set a field, or remove it where there is no value."""
    if value in ("", None, [], {}):
        row.pop(name, None)
    else:
        row[name] = value
