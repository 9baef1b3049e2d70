"""Transcripts as WebVTT, SRT or CSV. Only reads."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import webvtt
from webvtt.errors import MalformedFileError

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence

LIMIT = 5_000_000  # bytes
MOST_ROWS = 20_000
LONGEST = 5_000  # characters of an utterance
LONGEST_SPEAKER = 100
DAY = 24 * 3600
MOST_COLUMNS = 50
CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d{1,6})?)")
SECONDS = re.compile(r"\d{1,6}(?:[.,]\d{1,6})?")
TAGS = re.compile(r"<[^<>]*>")
SPEAKER = re.compile(r"([^\W\d_][^:\n]{0,30}):\s+(?=\S)")
SRT = re.compile(r"\s*\d+\s*\n\s*\d+:\d+:\d+,\d+\s*-->")


class BadTranscript(Refusal):
    """A file that can't be read as a transcript."""

    def __init__(self, code: str, sentence: Sentence) -> None:
        super().__init__(code, sentence, status=422)


@dataclass(frozen=True)
class Spoken:
    """An utterance; times are seconds from the start of the recording."""

    start: float
    end: float
    speaker: str
    text: str


def read(content: bytes) -> list[Spoken]:
    """Return the utterances of a file, by their start. Raises BadTranscript."""
    if len(content) > LIMIT:
        raise BadTranscript("too_large", Sentence("A transcript can be up to 5 MB."))
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise BadTranscript("not_utf8", Sentence("The file is not UTF-8.")) from error
    if "\x00" in text:
        raise BadTranscript("nul", Sentence("The file contains a NUL character."))
    if text.startswith("WEBVTT"):
        rows = _captions(text, "vtt")
    elif SRT.match(text):
        rows = _captions(text, "srt")
    else:
        rows = _csv(text)
    spoken = sorted(_checked(rows), key=lambda row: (row.start, row.end))
    if not spoken:
        raise BadTranscript("empty", Sentence("The file has no utterances."))
    return spoken


def _checked(rows: Iterable[Spoken]) -> Iterator[Spoken]:
    """Yield the utterances with a text. Raises BadTranscript."""
    for number, row in enumerate(rows, start=1):
        if number > MOST_ROWS:
            sentence = Sentence("A transcript can have up to {most} utterances.", most=MOST_ROWS)
            raise BadTranscript("too_many", sentence)
        if not 0 <= row.start <= row.end <= DAY:
            sentence = Sentence("Utterance {n} ends before it starts.", n=number)
            raise BadTranscript("times", sentence)
        if len(row.text) > LONGEST:
            sentence = Sentence("Utterance {n} is too long.", n=number)
            raise BadTranscript("too_long", sentence)
        if row.text:
            yield row


def _captions(text: str, format: str) -> Iterator[Spoken]:
    """Yield the captions of a subtitle file. A voice tag or “Name: ” gives the speaker."""
    try:
        captions = webvtt.WebVTT.from_buffer(io.StringIO(text), format=format).captions
    except MalformedFileError as error:
        sentence = Sentence("The file can't be read as {format}.", format=format.upper())
        raise BadTranscript("malformed", sentence) from error
    for caption in captions:
        words = TAGS.sub("", caption.text)
        speaker = caption.voice or ""
        if not speaker and (named := SPEAKER.match(words)):
            speaker, words = named[1], words[named.end() :]
        yield Spoken(
            _seconds(caption.start),
            _seconds(caption.end),
            speaker.strip()[:LONGEST_SPEAKER],
            " ".join(words.split()),
        )


def _csv(text: str) -> Iterator[Spoken]:
    """Yield the rows of a table separated by commas, semicolons or tabs."""
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if len(names) > MOST_COLUMNS or not {"start", "text"} <= set(names):
            raise csv.Error
        for row in rows:
            cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
            if not cells.get("text"):
                continue
            start = _seconds(cells["start"])
            end = _seconds(cells["end"]) if cells.get("end") else start
            yield Spoken(start, end, cells.get("speaker", "")[:LONGEST_SPEAKER], cells["text"])
    except csv.Error as error:
        sentence = Sentence(
            "Line {line}: expected WebVTT, SRT, or a table with the columns start, end, speaker "
            "and text.",
            line=max(rows.line_num, 1),
        )
        raise BadTranscript("bad_csv", sentence) from error


def _seconds(typed: str) -> float:
    """Return seconds of a time such as 83.5 or 00:01:23.500. Raises BadTranscript."""
    if SECONDS.fullmatch(typed):
        return float(typed.replace(",", "."))
    if clock := CLOCK.fullmatch(typed):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds.replace(",", "."))
    raise BadTranscript("time", Sentence("“{typed}” isn't a time.", typed=typed[:20]))
