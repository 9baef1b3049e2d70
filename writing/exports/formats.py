"""An interaction log in the formats of other tools, and as snapshots of its text.

JSONL is the log itself; the others carry what their
readers know, and no more.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.texts.spreadsheets import Csv
from writing.log.eventlog import (
    Click,
    Edit,
    Event,
    Key,
    Snapshot,
    encode_one,
    well_formed,
)
from writing.process.replay import BrokenLog, Replay

BIGBRO = (
    *("time", "actor", "method", "target", "name", "id", "location", "x", "y"),
    *("screenWidth", "screenHeight", "comment"),
)
MOST_SNAPSHOTS = 50_000_000  # characters of one log, each snapshot having the whole text


def jsonl(events: Iterable[Event]) -> str:
    """One event a line, as docs/interaction-log.md describes them."""
    return "".join(f"{encode_one(event).decode()}\n" for event in events)


def bigbro(events: Iterable[Event], *, actor: str) -> str:
    """Return the log in the columns of BigBro, every cell quoted."""
    rows: list[tuple[Any, ...]] = [BIGBRO]
    width = height = ""
    for event in events:
        fields: dict[str, Any] = msgspec.to_builtins(event)
        ms, method = fields.pop("ms"), fields.pop("type")
        if method == "resize":
            width, height = fields["width"], fields["height"]
        target = event.target if isinstance(event, Click) else "editor"
        name = event.code if isinstance(event, Key) else ""
        comment = json.dumps(fields, ensure_ascii=False)
        row = (ms, actor, method, target, name, fields.pop("seq"), "", "", "", width, height)
        rows.append(tuple(well_formed(str(cell)) for cell in (*row, comment)))
    return Csv(quoting=csv.QUOTE_ALL).lines(rows)


def snapshots(
    events: Sequence[Event], *, response: str, topic: str, style: str, begin: int, interval: int
) -> Iterator[dict[str, Any]]:
    """Yield the text every `interval` milliseconds, if it changed, and at the end.

    Rows follow the schema of the CrowdRAG-25 corpus; `timestamp` counts from `begin`, both in
    milliseconds since 1970. Raises BrokenLog.
    """
    before, size = "", 0
    end = events[-1].ms if events else 0
    times = sorted({min(-(-event.ms // interval) * interval, end) for event in _edits(events)})
    for ms, snapshot in zip(times, Replay(events).texts_at(times), strict=True):
        text = well_formed(snapshot)
        if text != before:
            before, size = text, size + len(text)
            if size > MOST_SNAPSHOTS:
                raise BrokenLog(
                    "too_many_snapshots",
                    gettext(
                        "Snapshots exceed {number} million characters. Export events instead."
                    ).format(number=MOST_SNAPSHOTS // 1_000_000),
                )
            row = {"response": response, "topic": topic, "style": style}
            yield row | {"timestamp": begin + ms, "text": text}


def _edits(events: Iterable[Event]) -> Iterator[Event]:
    return (event for event in events if isinstance(event, Edit | Snapshot))
