"""Sentences for text that is not JSON: where it breaks off, never what a parser says. Pure."""

import re

from annotation.texts.sentences import Sentence

_PLACE = re.compile(r"\((?:byte|char) (\d+)\)")
# One of the two escapes of a character that has two.
_HALF = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    rb"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
NEAR = 20  # characters that are quoted
NESTED = Sentence("is nested too deeply")
CUT_OFF = Sentence("is incomplete JSON")


def json_fault(error: Exception, content: bytes | str, *, start: int = 0) -> Sentence:
    """Return why `content` is not JSON, by the error of a parser: a clause without its subject.

    start: the byte from which characters are counted.
    """
    if isinstance(error, RecursionError):
        return NESTED
    data = content.encode(errors="replace") if isinstance(content, str) else content
    place = place_of(error)
    if isinstance(error, UnicodeDecodeError):
        return Sentence("is not UTF-8")
    if half := _HALF.search(data):
        return Sentence("is not valid JSON: {half} is half of a character", half=half[0].decode())
    if "out of range" in str(error):
        return Sentence("contains a number that is too large")
    if data.strip()[:1] not in (b"{", b"[", b'"'):
        return Sentence("is not JSON: it starts with {near!r}", near=_near(data.lstrip()))
    if place is not None and "trailing" in str(error):
        place -= 1
    if place is None or not data[place:].strip():
        return CUT_OFF
    while place > start and data[place - 1 : place].isalnum():
        place -= 1  # to the beginning of the word
    near = _near(data[place:])
    before = len(data[start:place].decode(errors="replace"))
    return Sentence(
        "is not valid JSON at character {place:,}, near {near!r}",
        place=before + 1,
        near=near,
    )


def _near(data: bytes) -> str:
    return (data[: 4 * NEAR].decode(errors="replace").splitlines() or [""])[0][:NEAR]


def place_of(error: Exception) -> int | None:
    """Return the byte at which a parser stopped, or None if it came to the end."""
    position = getattr(error, "pos", None)
    if isinstance(position, int):
        return position
    match = _PLACE.search(str(error))
    return int(match[1]) if match else None
