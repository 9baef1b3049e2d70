"""NuggetBank v3 of TREC AutoJudge: each row is a topic with questions and claims. Pure.

Items are an object keyed by text, or a list. Nested nuggets stay inside their nugget and are
counted.
"""

import hashlib
from typing import Any

from annotation.corpora.formats.bank_files.file_format import (
    BadRow,
    BankFormat,
    BankItem,
    BankRow,
    Json,
    WrittenEntry,
    importance_of,
    optional_text,
    put,
    text_of,
)
from annotation.corpora.formats.bank_files.ragtime_bank import (
    aggregator_of,
    answers_of,
    change_question,
)
from annotation.texts.sentences import Sentence, marked

PARTS = ("nugget_bank", "claim_bank")
LISTED = "_lists"  # in `rest`: which parts are lists


class AutoJudgeFormat(BankFormat):
    name = "autojudge"
    title = marked("NuggetBank v3 (TREC AutoJudge)")

    def is_row(self, row: Json) -> bool:
        return "query_id" in row and any(isinstance(row.get(part), dict | list) for part in PARTS)

    def read(self, row: Json) -> BankRow:
        rest = {name: value for name, value in row.items() if name not in PARTS}
        rest[LISTED] = {
            part: isinstance(row[part], list) if row[part] is not None else None
            for part in PARTS
            if part in row
        }
        items = [
            self.item(raw, rest=rest, name=name)
            for part in PARTS
            for name, raw in _named(row.get(part), part)
        ]
        nested = sum(len(item.raw.get("sub_nuggets") or ()) for item in items)
        left_out = {"sub_nuggets": nested} if nested else {}
        topic = str(row["query_id"])
        return BankRow(topic, optional_text(row, "title_query"), items, rest, left_out)

    def item(self, raw: Json, *, rest: Json, name: str | None = None) -> BankItem:
        is_question = "question" in raw
        creator = _creator(raw) or _creator(rest)
        author = "" if not creator else "person" if creator.get("is_human") is True else "model"
        return BankItem(
            text=text_of(raw, "question" if is_question else "claim"),
            raw=raw,
            importance=importance_of(raw),
            answers=answers_of(raw.get("answers")),
            aggregator=aggregator_of(raw),
            author=author,
            model=optional_text(creator, "llm_model")[:200],
            prompt_version=optional_text(creator, "llm_prompt_strategy")[:200],
            is_question=is_question,
            name=name,
        )

    def new_item(self, entry: WrittenEntry) -> Json:
        kind = "question" if entry.is_question else "claim"
        digest = hashlib.md5(entry.text.encode(), usedforsecurity=False).hexdigest()
        item: Json = {kind: entry.text, f"{kind}_id": digest, "query_id": entry.topic}
        put(item, "importance", entry.importance)
        put(item, "aggregator_type", entry.aggregator.upper())
        if entry.is_question:
            put(item, "answers", _by_text(entry.answers))
        if entry.author:
            creator: Json = {"is_human": entry.author == "person"}
            put(creator, "llm_model", entry.model)
            put(creator, "llm_prompt_strategy", entry.prompt_version)
            item["creator"] = [creator]
        return item

    def new_row(self, entry: WrittenEntry, *, collection: str, title: str) -> Json:
        return {
            "query_id": entry.topic,
            "title_query": entry.query,
            "test_collection": collection,
            "format_version": "v3",
        }

    def row(self, rest: Json, items: list[tuple[WrittenEntry, Json]]) -> Json:
        listed = rest.get(LISTED) or {}
        row = {name: value for name, value in rest.items() if name != LISTED}
        for part in PARTS:
            field = "question" if part == PARTS[0] else "claim"
            own = [(entry, raw) for entry, raw in items if field in raw]
            if listed.get(part) is True:
                row[part] = [raw for _, raw in own]
            elif own or listed.get(part, None) is False:
                row[part] = {entry.name or raw[field]: raw for entry, raw in own}
            elif part in listed:
                row[part] = None
        return row

    def change(self, raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
        change_question(raw, entry, before=before)
        if before.answers != entry.answers:
            listed = isinstance(raw.get("answers"), list)
            put(raw, "answers", entry.answers if listed else _by_text(entry.answers))


def _named(items: Any, part: str) -> list[tuple[str | None, Json]]:
    """Return the items of a part with their names. Raises BadRow."""
    if items is None:
        return []
    named: list[tuple[str | None, Any]] = (
        [(None, raw) for raw in items] if isinstance(items, list) else list(items.items())
    )
    if not all(isinstance(raw, dict) for _, raw in named):
        raise BadRow(part, Sentence("is not a list of objects"))
    return named


def _by_text(answers: list[Json]) -> Json:
    return {answer["answer"]: answer for answer in answers}


def _creator(row: Json) -> Json:
    creators = row.get("creator")
    first = creators[0] if isinstance(creators, list) and creators else creators
    return first if isinstance(first, dict) else {}
