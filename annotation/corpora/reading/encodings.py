"""The encoding of a text: UTF-8, UTF-16, or a code page that has to be confirmed. Pure."""

import codecs
import io
import re
from typing import BinaryIO, NamedTuple

import charset_normalizer

from annotation.corpora.reading.source_rows import UnfitFile
from annotation.texts.sentences import Sentence

UTF_8 = "utf-8"
# What people's programs write where it is not Unicode, by how often that is met in the field.
CODE_PAGES = (
    *("cp1252", "cp1250", "cp1251", "mac_roman", "cp850", "cp932", "gb18030", "big5", "cp949"),
    *("cp1253", "cp1254", "cp1255", "cp1256", "iso8859_15", "koi8_r"),
)
TITLES = {
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "mac_roman": "Mac OS Roman",
    "cp850": "DOS 850 (Western European)",
    "cp932": "Shift JIS (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "cp949": "Windows-949 (Korean)",
    "iso8859_15": "ISO 8859-15 (Western European)",
    "koi8_r": "KOI8-R (Cyrillic)",
}
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Letters and signs of Western texts; a sign within a word shows another code page.
WESTERN = frozenset(
    "àáâãäåæçèéêëìíîïñòóôõöøœùúûüýÿßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØŒÙÚÛÜÝ€“”„‘’–—…•«»¡¿°§©®™·×²³µ½¼\xa0"
)
INSIDE_WORD = re.compile(r"[^\W\d_][“”„…•«»¡¿§©®™°²³½¼€][^\W\d_]")


class Encoding(NamedTuple):
    """The name of a codec, and whether it is a guess that somebody has to confirm."""

    name: str
    is_guess: bool = False


def encoding_of(start: bytes, *, is_whole: bool) -> Encoding:
    """Return the encoding of a file that begins like this. Raises UnfitFile."""
    for mark, name in MARKS:
        if start.startswith(mark):
            return Encoding(name)
    if name := _without_mark(start):
        return Encoding(name)
    if is_decodable(start, UTF_8, is_whole=is_whole):
        return Encoding(UTF_8)
    return Encoding(_guess(start, is_whole=is_whole), is_guess=True)


def is_decodable(start: bytes, name: str, *, is_whole: bool) -> bool:
    try:
        codecs.getincrementaldecoder(name)().decode(start, final=is_whole)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def decoded(start: bytes, name: str) -> str:
    """Return a beginning as text, without a mark at its start or half a character at its end."""
    return codecs.getincrementaldecoder(name)(errors="replace").decode(start).removeprefix("\ufeff")


def _without_mark(start: bytes) -> str:
    """Return UTF-16 where every second byte of Latin text is zero."""
    sample = start[:2_000]
    if len(sample) < 8 or sample.count(0) < len(sample) // 4:
        return ""
    for name, zeros in (("utf-16-le", sample[1::2]), ("utf-16-be", sample[::2])):
        if zeros.count(0) > 0.7 * len(zeros) and is_decodable(start, name, is_whole=False):
            return name
    return ""


def _guess(start: bytes, *, is_whole: bool) -> str:
    if b"\0" in start:
        raise UnfitFile(Sentence("is not a text file"))
    # The odd bytes decide, and a long text has many: its other lines only take time.
    odd = [line for line in start.splitlines() if not line.isascii()]
    sample = b"\n".join(odd)[:20_000]
    possible = [name for name in CODE_PAGES if is_decodable(start, name, is_whole=is_whole)]
    if not possible:
        raise UnfitFile(Sentence("has an unknown encoding: save it as “CSV UTF-8”"))
    if possible[0] == "cp1252" and _is_western(sample.decode("cp1252", errors="replace")):
        return possible[0]
    best = charset_normalizer.from_bytes(sample, cp_isolation=possible).best()
    names = [best.encoding, *best.could_be_from_charset] if best else []
    # Of code pages that read the text alike the usual one is named.
    return next((name for name in CODE_PAGES if name in names), possible[0])


def _is_western(text: str) -> bool:
    """Return whether a text read as Windows-1252 has the letters and signs of such texts alone."""
    odd = {letter for letter in text if not letter.isascii()}
    letters = sum(letter.isalpha() for letter in text)
    odd_letters = sum(letter.isalpha() and not letter.isascii() for letter in text)
    return odd <= WESTERN and odd_letters <= 0.25 * letters and not INSIDE_WORD.search(text)


class Transcoded(io.RawIOBase):
    """A binary stream as UTF-8, with line feeds where only carriage returns end lines."""

    def __init__(self, stream: BinaryIO, *, encoding: str, has_returns: bool) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._has_returns = has_returns
        self._ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Fill the buffer. Raises UnicodeDecodeError."""
        while not self._ready:
            chunk = self._stream.read(1 << 16)
            text = self._decoder.decode(chunk, final=not chunk)
            if self._has_returns:
                text = text.replace("\r", "\n")
            self._ready = text.encode()
            if not chunk and not self._ready:
                return 0
        part = self._ready[: len(buffer)]
        self._ready = self._ready[len(part) :]
        buffer[: len(part)] = part
        return len(part)
