"""Banks of Rubric (exam_pp): each row is a query or facet with questions or nuggets. Pure.

`test_collection` is optional, because the paper's figures lack it although its code requires it.
Rubric has no importance, so we store ours in the `info` of an item.
"""

from typing import Any

from annotation.corpora.formats import rubric
from annotation.corpora.formats.bank_files.file_format import (
    BadRow,
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
from annotation.texts.sentences import Sentence, marked


class RubricFormat(BankFormat):
    name = "rubric"
    title = marked("Autograder Workbench (Rubric)")
    has_facets = True

    def is_row(self, row: Json) -> bool:
        items = row.get("items")
        return isinstance(row.get("query_id"), str) and isinstance(items, list)

    def read(self, row: Json) -> BankRow:
        rest = {name: value for name, value in row.items() if name != "items"}
        raws = objects_of(row.get("items"), "items")
        items = [self.item(raw, rest=rest) for raw in raws]
        return BankRow(text_of(row, "query_id"), optional_text(row, "query_text"), items, rest)

    def item(self, raw: Json, *, rest: Json, name: str | None = None) -> BankItem:
        is_question = "question_text" in raw
        if is_question == ("nugget_text" in raw):
            raise BadRow("items", Sentence("an entry needs a question or a nugget"))
        info = _info(raw) or _info(rest)
        model = optional_text(info, "gpt_model")
        return BankItem(
            text=text_of(raw, "question_text" if is_question else "nugget_text"),
            raw=raw,
            facet=optional_text(raw, "facet_id") or optional_text(rest, "facet_id"),
            importance=importance_of(_info(raw)),
            answers=_answers(raw),
            author="model" if model else "",
            model=model[:200],
            prompt_version=optional_text(info, "prompt_style")[:200],
            is_question=is_question,
        )

    def new_item(self, entry: WrittenEntry) -> Json:
        kind = "question" if entry.is_question else "nugget"
        item: Json = {"query_id": entry.topic}
        put(item, "facet_id", entry.facet)
        item |= {f"{kind}_id": entry.key, f"{kind}_text": entry.text}
        put(item, "info", {"importance": entry.importance} if entry.importance else {})
        if entry.is_question:
            put(item, "gold_answers", [answer["answer"] for answer in entry.answers])
        return item

    def new_row(self, entry: WrittenEntry, *, collection: str, title: str) -> Json:
        row: Json = {"query_id": entry.topic}
        put(row, "facet_id", entry.facet)
        target = "questions" if entry.is_question else "nuggets"
        return row | {
            "test_collection": collection,
            "query_text": entry.query,
            "info": {"prompt_target": target, "description": title},
            "hash": rubric.digest(f"{entry.topic}/{entry.facet}"),
        }

    def row(self, rest: Json, items: list[tuple[WrittenEntry, Json]]) -> Json:
        return rest | {"items": [item for _, item in items]}

    def change(self, raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
        if before.importance != entry.importance:
            info = dict(_info(raw))
            put(info, "importance", entry.importance)
            put(raw, "info", info)
        if before.answers != entry.answers:
            put(raw, "gold_answers", [answer["answer"] for answer in entry.answers])


def _info(row: Json) -> Json:
    info = row.get("info")
    return info if isinstance(info, dict) else {}


def _answers(raw: Json) -> list[Json]:
    golds: Any = raw.get("gold_answers") or []
    if not isinstance(golds, list) or not all(isinstance(gold, str) for gold in golds):
        raise BadRow("gold_answers", Sentence("is not a list of texts"))
    return [{"answer": gold} for gold in golds]
