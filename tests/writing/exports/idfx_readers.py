"""Readers of IDFX files, written after what two public readers of ScriptLog files do.

`rebuilt` takes every event by itself, as a reader that makes versions of a text does: it never
asks whether a key is to be replayed. `replayed` follows the caret and checks every length, as a
reader that replays a session does. Both see a text as UTF-16 code units.
"""

from itertools import zip_longest
from xml.etree import ElementTree

NAVIGATION = {"VK_LEFT", "VK_RIGHT", "VK_UP", "VK_DOWN", "VK_HOME", "VK_END", "VK_PRIOR", "VK_NEXT"}
SHIFT = {"VK_LSHIFT", "VK_RSHIFT"}


def codes(text: str | None) -> list[bytes]:
    data = (text or "").encode("utf-16-le", "surrogatepass")
    return [data[at : at + 2] for at in range(0, len(data), 2)]


def text_of(units: list[bytes]) -> str:
    return b"".join(units).decode("utf-16-le", "surrogatepass")


def rebuilt(xml: str) -> str:
    """Return the text by keys, inserts (`before`, position of the end) and replacements."""
    events = [
        event
        for event in ElementTree.fromstring(xml).findall("event")
        if event.get("type") in ("keyboard", "insert", "replacement")
        if event.findtext("part/key") not in SHIFT
    ]
    text: list[bytes] = []
    for event, following in zip_longest(events, events[1:]):
        kind = event.get("type")
        if kind == "insert":
            put = codes(event.findtext("part/before"))
            start = int(event.findtext("part/position")) - len(put)
            text[start:start] = put
        elif kind == "replacement":
            start, end = (int(event.findtext(f"part/{name}")) for name in ("start", "end"))
            text[start:end] = codes(event.findtext("part/newtext"))
        elif following is None or following.get("type") != "replacement":
            _press(text, event)
    return text_of(text)


def _press(text: list[bytes], event: ElementTree.Element) -> None:
    key, position = event.findtext("part/key"), int(event.findtext("part/position"))
    if key == "VK_BACK":
        start = max(0, position - 1)
        del text[start : start + 1]
    elif key == "VK_DELETE":
        del text[position : position + 1]
    elif key not in NAVIGATION:
        text[position:position] = codes(event.findtext("part/value"))


def replayed(xml: str) -> str:
    """Return the text by keys that are to be replayed.

    Raises AssertionError where anything is at odds.
    """
    root = ElementTree.fromstring(xml)
    meta = {entry.findtext("key"): entry.findtext("value") for entry in root.findall("meta/entry")}
    clock = int(meta["__LogRelativeCreationDate"])
    int(meta["__LogCreationTimeStamp"])
    text: list[bytes] = []
    caret = mark = 0
    for event in root.findall("event"):
        kind = event.get("type")
        if (started := event.findtext("part[@type='winlog']/startTime")) is not None:
            assert int(started) >= clock
        if kind == "keyboard":
            assert int(event.findtext("part/documentLength")) == len(text) + 1
            position = int(event.findtext("part/position"))
            assert 0 <= position <= len(text)
            if event.findtext("part/replay") == "True":
                caret = mark = _replay(text, event, position)
        elif kind == "selection":
            mark, caret = (int(event.findtext(f"part/{name}")) for name in ("start", "end"))
            assert 0 <= min(mark, caret) <= max(mark, caret) <= len(text)
        elif kind == "insert":
            put, position = (
                codes(event.findtext("part/before")),
                int(event.findtext("part/position")),
            )
            assert not event.findtext("part/after")
            assert position - len(put) == caret  # otherwise `before` and `after` look alike
            text[caret:caret] = put
            caret = mark = position
        elif kind == "replacement":
            start, end = (int(event.findtext(f"part/{name}")) for name in ("start", "end"))
            assert 0 <= start <= end <= len(text)
            put = codes(event.findtext("part/newtext"))
            text[start:end] = put
            caret = mark = start + len(put)
    return text_of(text)


def _replay(text: list[bytes], event: ElementTree.Element, position: int) -> int:
    """Do what a key does, and return where the caret is then."""
    key = event.findtext("part/key")
    if key == "VK_BACK":
        assert position > 0
        del text[position - 1]
        return position - 1
    if key == "VK_DELETE":
        assert position < len(text)
        del text[position]
        return position
    put = codes(event.findtext("part/value"))
    assert put
    text[position:position] = put
    return position + len(put)
