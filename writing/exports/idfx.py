"""An interaction log as IDFX, the XML of Inputlog and ScriptLog. Pure.

Positions and lengths count UTF-16 code units, as Word does. As in files of ScriptLog,

- `documentLength` of a key is the length of the text before the key and the mark at its end: the
  length after the key, if the key types one character;
- an `insert` has its text in `before`, an empty `after`, and the position of its end;
- a key that stands directly before a `replacement` is its cause and changes nothing itself;
- `keyboardstate` names the modifiers that are down, so that Ctrl+Z is no z: an undo is never told
  by its key alone;
- `focus` follows the window: *elsewhere* is another tab, window or program, never our own page.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from xml.etree import ElementTree

from writing.exports.virtual_keys import name_of, types
from writing.log.eventlog import Edit, Event, Key, Select, Snapshot, units, well_formed
from writing.process.absences import absences

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DELETES = {"Backspace": 1, "Delete": 0}  # units between what a key deletes and the caret before
_DELETING = {name_of(code) for code in _DELETES}
_SHIFT = ("VK_LSHIFT", "VK_RSHIFT")
_MODIFIER = re.compile("(Shift|Control|Alt|Meta)(Left|Right)$")
_PASSED_OVER = ("selection", "focus")
DOCUMENT = "editor"  # the title of the window that the text stands in


class Record(NamedTuple):
    """An event of the file: its parts by field, and of a key the edit that it makes."""

    kind: str
    word: Mapping[str, Any]
    win: Mapping[str, Any]
    edit: Edit | None = None


def idfx(events: Sequence[Event], *, session: Mapping[str, str], begin: datetime) -> str:
    """Return the log as XML: keys with caret and length, other edits, selections, the focus.

    `begin` is when the log began; all times count from it.
    """
    root = ElementTree.Element("log")
    _entries(ElementTree.SubElement(root, "meta"), _meta(begin))
    _entries(ElementTree.SubElement(root, "session"), session)
    for number, record in enumerate(_unambiguous(_records(events)), start=1):
        event = ElementTree.SubElement(root, "event", type=record.kind, id=str(number))
        for name, values in (("wordlog", record.word), ("winlog", record.win)):
            if not values:
                continue
            part = ElementTree.SubElement(event, "part", type=name)
            for key, value in values.items():
                ElementTree.SubElement(part, key).text = _for_xml(str(value))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _meta(begin: datetime) -> dict[str, str]:
    moment = begin.astimezone(UTC)
    return {
        "__LogProgramVersion": "Crowdwright 1",
        "__LogCreationDate": f"{moment:%y/%m/%d %H:%M:%S}.{moment.microsecond // 1000:03}",
        "__LogCreationTimeStamp": str(round(moment.timestamp() * 1000)),
        "__LogRelativeCreationDate": "0",
        "__MainDocument": DOCUMENT,
    }


def _entries(parent: ElementTree.Element, values: Mapping[str, str]) -> None:
    for key, value in values.items():
        entry = ElementTree.SubElement(parent, "entry")
        ElementTree.SubElement(entry, "key").text = key
        ElementTree.SubElement(entry, "value").text = _for_xml(value)


def _for_xml(text: str) -> str:
    return _NO_XML.sub("\ufffd", well_formed(text))


def _records(events: Sequence[Event]) -> Iterator[Record]:
    caret = length = 0
    by_key: set[int] = set()  # edits that are part of the key before them
    ends = _key_ends(events)
    states = _modifiers(events)
    focus = _focus(events)
    for index, event in enumerate(events):
        if event.seq in focus:
            yield Record("focus", {}, {**_times(event.ms, event.ms), "title": focus[event.seq]})
        if isinstance(event, Key) and event.down:
            edit = _made_by(event, events[index + 1] if index + 1 < len(events) else None)
            if edit is not None:
                by_key.add(edit.seq)
            record = _keyboard(event, edit, caret, length, ends.get(event.seq, event.ms))
            yield record._replace(win={**record.win, "keyboardstate": states[event.seq]})
        elif isinstance(event, Edit | Snapshot):
            edit = _whole(event, length) if isinstance(event, Snapshot) else event
            if edit.seq not in by_key:
                yield from _other_edit(edit)
            caret = edit.at + units(edit.inserted)
            length += units(edit.inserted) - edit.deleted
        elif isinstance(event, Select):
            yield _selection(event.ms, event.start, event.end)
            caret = event.end


def _whole(snapshot: Snapshot, length: int) -> Edit:
    return Edit(
        seq=snapshot.seq, ms=snapshot.ms, at=0, deleted=length, inserted=snapshot.text, input=""
    )


def _unambiguous(records: Iterable[Record]) -> Iterator[Record]:
    """Yield the records so that readers who ignore `replay` rebuild the text.

    They take a key before a replacement for its cause, whatever stands between that changes no
    text. So the edit of a key is separated from it if another replacement follows, and a key that
    could delete but does not is followed by a replacement of nothing.
    """
    held: list[Record] = []  # a key, and what follows it that readers pass over
    for record in records:
        if record.kind in _PASSED_OVER or record.win.get("key") in _SHIFT:
            held.append(record)
            continue
        yield from _decided(held, replaced=record.kind == "replacement")
        held = [record]
    yield from _decided(held, replaced=False)


def _decided(held: list[Record], *, replaced: bool) -> Iterator[Record]:
    """Yield a key and what follows it; `replaced` if a replacement is next."""
    for record in held:
        if record.edit is not None and replaced:
            yield _without_edit(record)
            yield from _other_edit(record.edit)
        else:
            yield record
        if record.edit is None and record.win.get("key") in _DELETING and not replaced:
            place, ms = record.word["position"], record.win["startTime"]
            nothing = {"start": place, "end": place, "newtext": ""}
            yield Record("replacement", nothing, _times(ms, ms))


def _without_edit(record: Record) -> Record:
    return Record(record.kind, {**record.word, "replay": False}, {**record.win, "value": ""})


def _times(start: int, end: int) -> dict[str, int]:
    return {"startTime": start, "endTime": end}


def _key_ends(events: Iterable[Event]) -> dict[int, int]:
    """Return when each key came up again, by the number of the event in which it went down."""
    down: dict[str, int] = {}
    ends: dict[int, int] = {}
    for event in events:
        if isinstance(event, Key) and event.down:
            down[event.code] = event.seq
        elif isinstance(event, Key) and event.code in down:
            ends[down.pop(event.code)] = event.ms
    return ends


def _modifiers(events: Iterable[Event]) -> dict[int, str]:
    """Return the modifiers that are down when a key goes down, by the number of that event."""
    down: dict[str, None] = {}
    states: dict[int, str] = {}
    for event in events:
        if not isinstance(event, Key):
            continue
        if event.down:
            states[event.seq] = " ".join(name_of(code) for code in down)
        if _MODIFIER.match(event.code) and event.down:
            down[event.code] = None
        else:
            down.pop(event.code, None)
    return states


def _focus(events: Sequence[Event]) -> dict[int, str]:
    """Return the window that has the focus from an event on, by the number of the event."""
    titles = {events[0].seq: DOCUMENT} if events else {}
    for absence in absences(events):
        titles[absence.seq] = "elsewhere"
        if absence.back != absence.seq:
            titles[absence.back] = DOCUMENT
    return titles


def _made_by(key: Key, following: Event | None) -> Edit | None:
    """Return the edit that follows a key at once, if readers can tell it from the key alone."""
    if not isinstance(following, Edit):
        return None
    if key.code in _DELETES:
        return following if following.deleted == 1 and not following.inserted else None
    by_key = not following.input.startswith(("insertFrom", "history"))
    one = following.deleted == 0 and len(following.inserted) == 1
    return following if one and by_key and types(key.code) else None


def _keyboard(key: Key, edit: Edit | None, caret: int, length: int, end: int) -> Record:
    position = edit.at + _DELETES.get(key.code, 0) if edit else caret
    value = edit.inserted if edit else ""
    return Record(
        "keyboard",
        {"position": position, "documentLength": length + 1, "replay": bool(edit)},
        {**_times(key.ms, end), "key": name_of(key.code), "value": value},
        edit,
    )


def _selection(ms: int, start: int, end: int) -> Record:
    return Record("selection", {"start": start, "end": end}, _times(ms, ms))


def _other_edit(edit: Edit) -> Iterator[Record]:
    """Yield the records of an edit that no key tells: of an insertion also where it begins."""
    times = _times(edit.ms, edit.ms)
    end = edit.at + units(edit.inserted)
    if edit.deleted:
        gone = {"start": edit.at, "end": edit.at + edit.deleted, "newtext": edit.inserted}
        yield Record("replacement", gone, times)
    elif edit.inserted:
        yield _selection(edit.ms, edit.at, edit.at)
        yield Record("insert", {"position": end, "before": edit.inserted, "after": ""}, times)
