"""Columns of exported files, source of CSV headers, DATA.md and docs/data-dictionary.md.

Each export declares its columns beside its rows; shared ones are here.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from analysis.exports.source import ExportSource, slot_column
from judging.items.kinds import KINDS, Holds

TEXT, WHOLE, NUMBER, TIME, BOOLEAN = (
    "text", "whole number", "number", "time", "True or False",
)  # fmt: skip
ANSWER, PROBABILITY = "text or number", "number, 0-1"
MOMENT = "time, ISO 8601, UTC"
MOMENT_CELL = "2026-03-02T09:14:02.000+00:00"


@dataclass(frozen=True)
class ExportColumn:
    """Column of an exported file.

    key: the header; {question} and {answer} are placeholders for keys of the study.
    meaning: its description in DATA.md.
    type, example, guide: its row in the guide (docs/data-dictionary.md); `guide` is the meaning
    where that differs, None without a row of its own.
    guide_key: the keys of a shared row in the guide.
    when: the studies that have the column in their CSV.
    names: its headers in the CSV of a study; the key by default.
    entries: its rows (key, meaning) in the DATA.md of a study; one by default.
    """

    key: str
    type: str
    example: str
    meaning: str
    guide: str | None = ""
    guide_key: str = ""
    when: Callable[[ExportSource], bool] = lambda source: True
    names: Callable[[ExportSource], Iterable[str]] | None = None
    entries: Callable[[ExportSource], Iterable[tuple[str, str]]] | None = None

    def headers(self, source: ExportSource) -> Iterable[str]:
        """Return the headers of the column in the CSV of a study."""
        if not self.when(source):
            return ()
        return (self.key,) if self.names is None else self.names(source)

    def described(self, source: ExportSource) -> Iterable[tuple[str, str]]:
        """Return the rows (key, meaning) of the column in the DATA.md of a study."""
        return ((self.key, self.meaning),) if self.entries is None else self.entries(source)

    @property
    def guide_row(self) -> str:
        """Row of the column in the guide; '' without one."""
        if self.guide is None:
            return ""
        cells = (self.guide_key or self.key, self.type, self.guide or self.meaning, self.example)
        return f"| {' | '.join(cells)} |"


Columns = tuple[ExportColumn, ...]


def header(columns: Columns, source: ExportSource) -> tuple[str, ...]:
    """Return the CSV header of these columns in a study."""
    return tuple(chain.from_iterable(column.headers(source) for column in columns))


def lines(meaning: str) -> Columns:
    """Return the only column of a file of lines without cells."""
    return (ExportColumn("(line)", TEXT, "", meaning),)


def nothing(_: ExportSource) -> tuple[()]:
    """Return no header, or no row of DATA.md."""
    return ()


def never(_: ExportSource) -> bool:
    """Return False: only the JSONL file has the column."""
    return False


# -- What was judged ---------------------------------------------------------------------------


def _content(source: ExportSource, slot: str) -> str:
    """Return the meaning of the column of an unusual slot."""
    kinds = {KINDS[question.item_kind] for question in source.questions}
    slots = (held for kind in kinds if (held := kind.slot(slot)) is not None)
    held = next(slots, None)
    content = KEY_OF_CONTENT.get(held.holds, "") if held else ""
    return f"{content or 'key of the content'} in slot {slot}; empty in items without it"


KEY_OF_CONTENT = {
    Holds.RESPONSE: "key of the response",
    Holds.PASSAGE: "key of the passage",
    Holds.SEGMENT: "key of the response and line of its part, such as r1:3,",
    Holds.CRITERION: "key of the criterion",
}
SLOT_KEYS = {
    "response_a": "key of the response in slot a",
    "response_b": "key of the response in slot b",
    "response": "key of the response",
}
SYSTEM_KEYS = {
    "system_a": "key of the system that wrote the response in slot a; empty if none",
    "system_b": "key of the system that wrote the response in slot b; empty if none",
    "system": "key of the system that wrote the response; empty if none",
}
AS_IN_RATINGS = ("see ratings", None, None)  # the guide has one row for the three


def slot_columns(
    examples: Sequence[str] = ("02693406-15df-33d5-b424-219ac8ab2054", "", ""),
    guides: Sequence[str | None] = AS_IN_RATINGS,
) -> Columns:
    """Return the columns of the slots of an item, with their meanings in the guide."""
    guide_key = ", ".join(SLOT_KEYS) if guides is AS_IN_RATINGS else ""

    def entries(key: str) -> Callable[[ExportSource], Iterator[tuple[str, str]]]:
        def rows(source: ExportSource) -> Iterator[tuple[str, str]]:
            if key in source.slot_columns:
                yield key, SLOT_KEYS[key]
            if key == "response":
                for slot in source.slots:
                    if (name := slot_column(slot)) not in SLOT_KEYS:
                        yield name, _content(source, slot)

        return rows

    # The first names the slots of the study, in their order.
    names = (lambda source: source.slot_columns, nothing, nothing)
    return tuple(
        ExportColumn(
            key, TEXT, example,
            meaning, guide=guide, guide_key=guide_key, names=name, entries=entries(key),
        )
        for (key, meaning), example, guide, name in zip(
            SLOT_KEYS.items(), examples, guides, names, strict=True
        )
    )  # fmt: skip


def system_columns() -> Columns:
    """Return the columns of the systems that wrote the responses of an item."""

    def entries(key: str) -> Callable[[ExportSource], Iterator[tuple[str, str]]]:
        def rows(source: ExportSource) -> Iterator[tuple[str, str]]:
            if key in source.system_columns:
                yield key, SYSTEM_KEYS[key]
            if key == "system":
                for name in source.system_columns:
                    if name not in SYSTEM_KEYS:
                        slot = name.removeprefix("system_")
                        yield name, f"key of the system that wrote the response in slot {slot}"

        return rows

    first, *others = (
        ExportColumn(key, TEXT, "", meaning, guide=None, names=nothing, entries=entries(key))
        for key, meaning in SYSTEM_KEYS.items()
    )
    guide = "keys of the systems that wrote these responses; empty if none"
    names = ", ".join(SYSTEM_KEYS)
    first = replace(
        first, example="gpt-4o", guide=guide, guide_key=names, names=lambda s: s.system_columns
    )
    return (first, *others)


QUERY = ExportColumn("query_id", TEXT, "2024-45494", "key of the topic")
QUESTION = ExportColumn("question", TEXT, "coverage_broad", "key of the question")
_SLOT_MEANING = "slot that was judged; only in studies that ask a question of each slot"
SLOT = ExportColumn(
           "slot", TEXT, "a",
           _SLOT_MEANING,
           when=lambda source: source.per_slot,
           entries=lambda source: (("slot", _SLOT_MEANING),) if source.per_slot else (),
       )  # fmt: skip
INSTRUMENT = ExportColumn(
                 "instrument", TEXT, "best-worst",
                 "key of the instrument that asks the question; only in studies with several "
                 "instruments",
                 when=lambda source: bool(source.instruments),
             )  # fmt: skip
RAW = ExportColumn(
          "raw", ANSWER, "a",
          "choice on the screen; for a preference the side, a is left",
          guide="choice on the screen; for a preference the side, `a` is left",
      )  # fmt: skip
SHOWN = ExportColumn("shown", TEXT, "b,a", "slot names from left to right")
MILLISECONDS = ExportColumn(
                   "milliseconds", "number, ms", "48210",
                   "time from showing the item to this answer, ms",
                   guide="time from showing the item to this answer; empty if not measured",
               )  # fmt: skip
COMMENT = ExportColumn(
              "comment", TEXT, "The left one stops in the middle.",
              "reason that the worker gave with the answer",
          )  # fmt: skip
FIRST_AT = ExportColumn(
               "first_at", MOMENT, "2026-03-02T09:00:00.000+00:00",
               "time of the first answer; ISO 8601, UTC", guide="time of the first answer",
           )  # fmt: skip

# -- Who did it --------------------------------------------------------------------------------

TASK_KEY = "1f7ec3b4-1bf7-4e8f-8d28-bb577f5b0a35"
QUESTIONNAIRE = ExportColumn("submission_id", TEXT, TASK_KEY, "key of the questionnaire")
WORKER = ExportColumn("worker", TEXT, "w-0c4f5e2a9b1d", "pseudonym of the worker")
WRITER = replace(WORKER, meaning="pseudonym of the writer")
WORK = (
    ExportColumn(
        "assignment", WHOLE, "812",
        "number of the assignment, as in the URL of its page",
    ),
    ExportColumn(
        "submission_id", TEXT, TASK_KEY,
        "key of the task: the questionnaire, or the text to write",
    ),
    WORKER,
    ExportColumn(
        "state", TEXT, "expired",
        "active, submitted, accepted, rejected, returned or expired",
    ),
    ExportColumn(
        "finished", BOOLEAN, "False",
        "whether the assignment was submitted: submitted, accepted or rejected",
    ),
)  # fmt: skip
TOPIC = ExportColumn("topic", TEXT, "2024-145979", "key of the topic")
STYLE = ExportColumn("style", TEXT, "essay", "bullet, essay, news or free")
MONEY = (
    ExportColumn("owed", NUMBER, "1.5", "amount owed for submitted work or screening"),
    ExportColumn("approved", NUMBER, "1.5", "amount approved"),
    ExportColumn("paid", NUMBER, "1.5", "amount paid, without bonuses"),
    ExportColumn("bonus", NUMBER, "0.0", "bonuses paid"),
)
CURRENCY = ExportColumn("currency", TEXT, "USD", "currency of all amounts")
