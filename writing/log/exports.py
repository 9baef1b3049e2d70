"""An interaction log in the formats of other tools, and as snapshots of its text.

Pure of the database: events in, text out. JSONL is the log itself; the others carry what their
readers know, and no more.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

import msgspec
from django.utils.translation import gettext

from annotation.texts.spreadsheets import defused
from writing.log.eventlog import (
    Blur,
    Click,
    Edit,
    Event,
    Focus,
    Key,
    Select,
    Snapshot,
    encode_one,
    units,
    well_formed,
)
from writing.replay.replay import BrokenLog, Replay

BIGBRO = (
    *("time", "actor", "method", "target", "name", "id", "location", "x", "y"),
    *("screenWidth", "screenHeight", "comment"),
)
MOST_SNAPSHOTS = 50_000_000  # characters of one log, each snapshot having the whole text
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_VIRTUAL = {
    "Space": "VK_SPACE",
    "Backspace": "VK_BACK",
    "Delete": "VK_DELETE",
    "Enter": "VK_RETURN",
    "Tab": "VK_TAB",
    "Escape": "VK_ESCAPE",
    "CapsLock": "VK_CAPITAL",
    "ShiftLeft": "VK_LSHIFT",
    "ShiftRight": "VK_RSHIFT",
    "ControlLeft": "VK_LCONTROL",
    "ControlRight": "VK_RCONTROL",
    "AltLeft": "VK_LMENU",
    "AltRight": "VK_RMENU",
    "ArrowLeft": "VK_LEFT",
    "ArrowRight": "VK_RIGHT",
    "ArrowUp": "VK_UP",
    "ArrowDown": "VK_DOWN",
    "Home": "VK_HOME",
    "End": "VK_END",
    "PageUp": "VK_PRIOR",
    "PageDown": "VK_NEXT",
    "Comma": "VK_OEM_COMMA",
    "Period": "VK_OEM_PERIOD",
    "Minus": "VK_OEM_MINUS",
}


def jsonl(events: Iterable[Event]) -> str:
    """One event a line, as docs/interaction-log.md describes them."""
    return "".join(f"{encode_one(event).decode()}\n" for event in events)


def bigbro(events: Iterable[Event], *, actor: str) -> str:
    """The columns of BigBro, quoted; cells that a spreadsheet would compute are defused."""
    out = io.StringIO()
    table = csv.writer(out, quoting=csv.QUOTE_ALL)
    table.writerow(BIGBRO)
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
        table.writerow([defused(well_formed(str(cell))) for cell in (*row, comment)])
    return out.getvalue()


def snapshots(
    events: Sequence[Event], *, response: str, topic: str, style: str, begin: int, interval: int
) -> Iterator[dict[str, Any]]:
    """The text each `interval` milliseconds, where it has changed, and at the end.

    In the schema of the CrowdRAG-25 corpus; `timestamp` counts from `begin`, both in milliseconds
    since 1970. Raises BrokenLog.
    """
    before, size = "", 0
    end = events[-1].ms if events else 0
    times = sorted({min(-(-event.ms // interval) * interval, end) for event in _edits(events)})
    for ms, each in zip(times, Replay(events).texts_at(times), strict=True):
        text = well_formed(each)
        if text != before:
            before, size = text, size + len(text)
            if size > MOST_SNAPSHOTS:
                raise BrokenLog(
                    gettext(
                        "Its snapshots have more than {number} million characters; its events "
                        "can be exported."
                    ).format(number=MOST_SNAPSHOTS // 1_000_000)
                )
            row = {"response": response, "topic": topic, "style": style}
            yield row | {"timestamp": begin + ms, "text": text}


def _edits(events: Iterable[Event]) -> Iterator[Event]:
    return (event for event in events if isinstance(event, Edit | Snapshot))


def idfx(events: Sequence[Event], *, session: dict[str, str]) -> str:
    """The XML of Inputlog and ScriptLog: keys with caret and length, other edits, the focus."""
    root = ElementTree.Element("log")
    entries(ElementTree.SubElement(root, "meta"), {"version": "1", "program": "Crowdwright"})
    entries(ElementTree.SubElement(root, "session"), session)
    for number, (kind, parts) in enumerate(_idfx_events(events), start=1):
        event = ElementTree.SubElement(root, "event", type=kind, id=str(number))
        for name, values in parts.items():
            part = ElementTree.SubElement(event, "part", type=name)
            for key, value in values.items():
                ElementTree.SubElement(part, key).text = _for_xml(str(value))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def entries(parent: ElementTree.Element, values: dict[str, str]) -> None:
    for key, value in values.items():
        entry = ElementTree.SubElement(parent, "entry")
        ElementTree.SubElement(entry, "key").text = key
        ElementTree.SubElement(entry, "value").text = _for_xml(value)


def _for_xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", well_formed(text))


Parts = dict[str, dict[str, Any]]


def _idfx_events(events: Sequence[Event]) -> Iterator[tuple[str, Parts]]:
    caret = length = 0
    by_key: set[int] = set()  # edits that the key before them tells
    ends = _key_ends(events)
    for at, event in enumerate(events):
        if isinstance(event, Key) and event.down:
            edit = _typed_by(events, at)
            if edit is not None:
                by_key.add(edit.seq)
            yield "keyboard", _keyboard(event, edit, caret, length, ends.get(event.seq, event.ms))
        elif isinstance(event, Edit):
            if event.seq not in by_key:
                yield _other_edit(event)
            caret = event.at + units(event.inserted)
            length += units(event.inserted) - event.deleted
        elif isinstance(event, Snapshot):
            whole = {"start": 0, "end": length, "newtext": event.text}
            yield "replacement", {"wordlog": whole, "winlog": _times(event.ms, event.ms)}
            caret = length = units(event.text)
        elif isinstance(event, Select):
            caret = event.end
        elif isinstance(event, Focus | Blur):
            title = "editor" if isinstance(event, Focus) else "elsewhere"
            yield "focus", {"winlog": {**_times(event.ms, event.ms), "title": title}}


def _times(start: int, end: int) -> dict[str, int]:
    return {"startTime": start, "endTime": end}


def _key_ends(events: Iterable[Event]) -> dict[int, int]:
    """When each key came up again, by the number of the event in which it went down."""
    down: dict[str, int] = {}
    ends: dict[int, int] = {}
    for event in events:
        if isinstance(event, Key) and event.down:
            down[event.code] = event.seq
        elif isinstance(event, Key) and event.code in down:
            ends[down.pop(event.code)] = event.ms
    return ends


def _typed_by(events: Sequence[Event], at: int) -> Edit | None:
    """The edit that follows a key at once, if it is one letter put in or one taken away."""
    follows = events[at + 1] if at + 1 < len(events) else None
    if not isinstance(follows, Edit):
        return None
    put_in = follows.deleted == 0 and len(follows.inserted) == 1
    return follows if put_in or (follows.deleted == 1 and not follows.inserted) else None


def _keyboard(key: Key, edit: Edit | None, caret: int, length: int, end: int) -> Parts:
    code = key.code
    virtual = _VIRTUAL.get(code) or f"VK_{re.sub('^(Key|Digit)', '', code).upper()}"
    value = edit.inserted if edit else ""
    return {
        "wordlog": {"position": caret, "documentLength": length, "replay": bool(edit)},
        "winlog": {**_times(key.ms, end), "key": virtual, "value": value, "keyboardstate": ""},
    }


def _other_edit(edit: Edit) -> tuple[str, Parts]:
    times = {"winlog": _times(edit.ms, edit.ms)}
    if edit.deleted:
        gone = {"start": edit.at, "end": edit.at + edit.deleted, "newtext": edit.inserted}
        return "replacement", {"wordlog": gone, **times}
    return "insert", {
        "wordlog": {"position": edit.at, "before": "", "after": edit.inserted},
        **times,
    }
