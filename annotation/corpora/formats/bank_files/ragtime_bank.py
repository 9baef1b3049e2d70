"""Nugget banks of RAGTIME 2026: each row is a topic with questions and answers. Pure."""

from annotation.corpora.formats.bank_files.file_format import (
    BadRow,
    BankFormat,
    BankItem,
    BankRow,
    Json,
    WrittenEntry,
    importance_of,
    objects_of,
    put,
    text_of,
)
from annotation.texts.sentences import Sentence, marked

AGGREGATORS = {"AND": "and", "OR": "or"}
RUN_LENGTH = 25  # maximum length of a run name in the rules of the track


def aggregator_of(raw: Json) -> str:
    """Return the aggregator if entries support it; NOT, SUM and Default stay in the item."""
    value = raw.get("aggregator_type")
    return AGGREGATORS.get(value, "") if isinstance(value, str) else ""


def answers_of(value: object) -> list[Json]:
    """Return answers as objects, from a list or an object keyed by text. Raises BadRow."""
    if value is None:
        return []
    answers = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(answers, list):
        raise BadRow("answers", Sentence("is not a list of answers"))
    objects = [{"answer": part} if isinstance(part, str) else part for part in answers]
    for answer in objects_of(objects, "answers"):
        text_of(answer, "answer")
    return objects


class RagtimeFormat(BankFormat):
    name = "ragtime"
    title = marked("RAGTIME 2026")

    def is_row(self, row: Json) -> bool:
        metadata, bank = row.get("metadata"), row.get("nugget_bank")
        has_topic = isinstance(metadata, dict) and "topic_id" in metadata
        return has_topic and isinstance(bank, list) and "query_id" not in row

    def read(self, row: Json) -> BankRow:
        rest = {name: value for name, value in row.items() if name != "nugget_bank"}
        raws = objects_of(row["nugget_bank"], "nugget_bank")
        items = [self.item(raw, rest=rest) for raw in raws]
        return BankRow(str(row["metadata"]["topic_id"]), "", items, rest)

    def item(self, raw: Json, *, rest: Json, name: str | None = None) -> BankItem:
        return BankItem(
            text_of(raw, "question"),
            raw,
            importance=importance_of(raw),
            answers=answers_of(raw.get("answers")),
            aggregator=aggregator_of(raw),
            is_question=True,
        )

    def new_item(self, entry: WrittenEntry) -> Json:
        item: Json = {"question": entry.text}
        put(item, "aggregator_type", entry.aggregator.upper())
        put(item, "answers", entry.answers)
        put(item, "importance", entry.importance)
        return item

    def new_row(self, entry: WrittenEntry, *, collection: str, title: str) -> Json:
        run = {"team_id": "crowdwright", "run_id": title[:RUN_LENGTH], "run_desc": title}
        return {"metadata": {"topic_id": entry.topic, **run}}

    def row(self, rest: Json, items: list[tuple[WrittenEntry, Json]]) -> Json:
        return rest | {"nugget_bank": [item for _, item in items]}

    def change(self, raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
        change_question(raw, entry, before=before)
        if before.answers != entry.answers:
            put(raw, "answers", entry.answers)


def change_question(raw: Json, entry: WrittenEntry, *, before: BankItem) -> None:
    """Write the importance and aggregator if they changed."""
    if before.importance != entry.importance:
        put(raw, "importance", entry.importance)
    if before.aggregator != entry.aggregator:
        put(raw, "aggregator_type", entry.aggregator.upper())
