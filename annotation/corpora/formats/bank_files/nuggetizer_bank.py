"""Nuggets of nuggetizer (TREC RAG): each row is a query with vital and okay nuggets. Pure.

Rows with assignments are not bank rows; annotation.corpora.formats.nuggets reads their labels.
"""

from annotation.corpora.formats.bank_files.file_format import (
    BankFormat,
    BankItem,
    BankRow,
    Json,
    WrittenEntry,
    importance_of,
    objects_of,
    optional_text,
    put,
    text_of,
)
from annotation.corpora.formats.nuggets import IDS, QUERIES, is_nuggets
from annotation.texts.sentences import marked


class NuggetizerFormat(BankFormat):
    name = "nuggetizer"
    title = marked("nuggetizer (TREC RAG)")
    has_avoid = False

    def is_row(self, row: Json) -> bool:
        return is_nuggets(row)

    def read(self, row: Json) -> BankRow:
        rest = {name: value for name, value in row.items() if name != "nuggets"}
        items = [self.item(raw, rest=rest) for raw in objects_of(row["nuggets"], "nuggets")]
        topic = next((str(row[name]) for name in IDS if row.get(name) not in (None, "")), "")
        query = next((text for name in QUERIES if (text := optional_text(row, name))), "")
        return BankRow(topic, query, items, rest)

    def item(self, raw: Json, *, rest: Json, name: str | None = None) -> BankItem:
        return BankItem(text_of(raw, "text"), raw, importance=importance_of(raw))

    def new_item(self, entry: WrittenEntry) -> Json:
        item: Json = {"text": entry.text}
        put(item, "importance", entry.importance)
        return item

    def new_row(self, entry: WrittenEntry, *, collection: str, title: str) -> Json:
        return {"query": entry.query, "qid": entry.topic}

    def row(self, rest: Json, items: list[tuple[WrittenEntry, Json]]) -> Json:
        return rest | {"nuggets": [item for _, item in items]}

    def change(self, raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
        if before.importance != entry.importance:
            put(raw, "importance", entry.importance)
