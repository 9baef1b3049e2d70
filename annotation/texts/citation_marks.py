"""Marks by which answers cite passages, told from brackets that are none. Pure.

`[1]`, `[1, 2]`, `[1-3]`, `[^1]`, `【1†source】`, `[doc 1]`, `[1](address)`, `##1$$`. What stands in
code or in a formula is never a mark; nor is a bracket after a name (`items[2]`), a list or an
interval of numbers in prose, or the definition of a footnote or link. A mark keeps its place and
its numbers as they are written: what they point to is for the caller to know.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from annotation.texts.literal_spans import Span, literal_spans

LONGEST_RANGE = 100  # numbers that `[1-100]` may name
NEAR = 40  # characters before a bracket in which a word may say what it is


class Form(StrEnum):
    """Form of a mark."""

    BRACKET = "bracket"  # [1], [1, 2], [1-3]
    FOOTNOTE = "footnote"  # [^1]
    LENTICULAR = "lenticular"  # 【1†source】
    WORD = "word"  # [doc 1], (Source: 1)
    LINK = "link"  # [1](https://example.org), [[1]](https://example.org)
    TAG = "tag"  # <cite>1</cite>, <sup>1</sup>
    HASH = "hash"  # ##1$$
    ID = "id"  # [doc_5#3]: found by whoever knows the passages


class NoMark(StrEnum):
    """Reason why a bracket with numbers is no mark."""

    CODE = "code"
    FORMULA = "formula"
    NAME = "name"  # items[2]
    NUMBERS = "numbers"  # a list or an interval in prose
    DEFINITION = "definition"  # [1]: https://example.org
    UNSURE = "unsure"  # (1) and ¹ may cite, or count the points of a text


@dataclass(frozen=True)
class Mark:
    """A citation in text[start:end], or what looks like one and is none (`refused`).

    numbers: in their order, as they are written.
    """

    start: int
    end: int
    form: Form | None
    numbers: tuple[int, ...]
    refused: NoMark | None = None

    @property
    def kind(self) -> str:
        """The form of a citation, or why it is none."""
        return str(self.refused or self.form)


_NUMBER = r"[0-9]{1,9}"
_ITEM = rf"{_NUMBER}(?:\s*[-–—]\s*{_NUMBER})?"
_LIST = rf"{_ITEM}(?:\s*[,;]\s*{_ITEM})*"
_NOUN = (
    r"(?:doc(?:ument)?s?|sources?|src|passages?|refs?|references?|contexts?|chunks?|snippets?"
    r"|citations?|cite|id|quellen?|dokumente?|textstellen?)"
)
_MARK = re.compile(
    # The first characters of all marks: texts are long, and most of them have none.
    r"(?=[\[【(<#¹²³⁰⁴-⁹])(?:"
    rf"(?P<link>\[(?:\[\s*(?P<l1>{_LIST})\s*\]|\s*\^?(?P<l2>{_LIST})\s*)\]\([^()\s]{{0,2000}}\))"
    rf"|(?P<bracket>\[\s*(?P<b>{_LIST})\s*\])"
    rf"|(?P<footnote>\[\^\s*(?P<f>{_LIST})\s*\])"
    rf"|(?P<lenticular>【\s*(?:{_NUMBER}:)?(?P<c>{_LIST})(?:†[^】\n]{{0,300}})?\s*】)"
    rf"|(?P<word>[\[(]\s*{_NOUN}\s{{0,3}}[:#._-]?\s{{0,3}}(?P<w>{_LIST})\s*[\])])"
    rf"|(?P<tag><(?P<t>cite|sup|ref|citation)>\s*\[?(?P<n>{_LIST})\]?\s*</(?P=t)>)"
    rf"|(?P<hash>\#\#(?P<h>{_NUMBER})\$\$)"
    rf"|(?P<unsure>\({_LIST}\)|[¹²³⁰⁴-⁹]+))",
    re.IGNORECASE,
)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LISTS = ("l1", "l2", "b", "f", "c", "w", "n", "h")
_RANGE = re.compile(rf"({_NUMBER})(?:\s*[-–—]\s*({_NUMBER}))?")
_DEFINITION = re.compile(r"(?:^|\n)[ >]{0,8}$")
# Words before a bracket of several numbers that make it a list or an interval.
_OF_NUMBERS = re.compile(
    r"\b(?:lists?|arrays?|vectors?|tuples?|prints?|liste)(?:\s+(?:is|of|like|as|ist|von))?[\s:=`*]*$"
    r"|[∈=]\s*$",
    re.IGNORECASE,
)
_OF_INTERVALS = re.compile(
    r"\b(?:intervals?|ranges?|between|intervall|bereich|zwischen)(?:\s+(?:is|of|from|ist|von))?"
    r"[\s:=`*]*$",
    re.IGNORECASE,
)
_AFTER_INTERVAL = re.compile(r"\s+(?:is (?:closed|open|half)|interval\b|range\b)", re.IGNORECASE)
_NAME = re.compile(r"[\w.]+$")
# Names that programs give to lists, and that nearly never end a clause of prose.
_NAMES = frozenset(
    [
        "arr",
        "array",
        "arrays",
        "args",
        "argv",
        "col",
        "cols",
        "df",
        "dict",
        "idx",
        "items",
        "lst",
        "matrix",
        "nums",
        "str",
        "tuple",
        "vec",
    ]
)
_SHORT_WORDS = frozenset(
    [
        "am",
        "an",
        "as",
        "at",
        "be",
        "by",
        "do",
        "go",
        "he",
        "if",
        "in",
        "is",
        "it",
        "me",
        "my",
        "no",
        "of",
        "on",
        "or",
        "so",
        "to",
        "uk",
        "up",
        "us",
        "we",
    ]
)
_CODE_FOLLOWS = re.compile(r"\s*[-+*/]?=|\.[a-z_]\w*\(", re.IGNORECASE)


def marks_of(text: str) -> list[Mark]:
    """Return the marks of a text with the brackets that look like some, in their order."""
    matches = [*_MARK.finditer(text)]
    marks: list[Mark] = []
    for match, literal in _with_literals(matches, text):
        refused = _literal(literal) if literal else _refused(match, text, marks)
        form = None if match["unsure"] else Form(str(match.lastgroup))
        marks.append(Mark(*match.span(), form, _numbers(match), refused))
    return marks


def _with_literals(
    matches: list[re.Match[str]], text: str
) -> Iterator[tuple[re.Match[str], Span | None]]:
    """Yield each match with the code or formula in which it begins."""
    spans = iter(literal_spans(text) if matches else ())
    span = next(spans, None)
    for match in matches:
        while span and span.end <= match.start():
            span = next(spans, None)
        yield match, span if span and span.start <= match.start() else None


def _literal(span: Span) -> NoMark:
    return NoMark.CODE if span.is_code else NoMark.FORMULA


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    if match["unsure"]:
        written = match["unsure"].translate(_RAISED)
    else:
        written = next(match[name] for name in _LISTS if match[name])
    if written.isdecimal():
        return (int(written),)
    numbers: list[int] = []
    for first, last in _RANGE.findall(written):
        low, high = int(first), int(last or first)
        numbers += range(low, high + 1) if 0 <= high - low < LONGEST_RANGE else (low, high)
    return tuple(numbers)


def _refused(match: re.Match[str], text: str, marks: list[Mark]) -> NoMark | None:
    """Return why this is no mark, judged by what stands around it."""
    start, end = match.span()
    if text[end : end + 1] == ":" and _DEFINITION.search(text[max(0, start - 10) : start]):
        return NoMark.DEFINITION
    if match["unsure"]:
        return NoMark.UNSURE
    before = text[max(0, start - NEAR) : start]
    if match["tag"]:  # 10<sup>2</sup> is a power
        return NoMark.NAME if before[-1:].isdigit() or _is_after_name(before) else None
    if not match["bracket"]:
        return None
    if before.endswith("]"):
        is_next = bool(marks) and marks[-1].end == start
        is_words = not is_next and not before.endswith("[]")  # [text][1]
        return NoMark.NAME if is_words or (is_next and marks[-1].refused) else None
    if _is_after_name(before) or (_has_word_before(before) and _CODE_FOLLOWS.match(text, end)):
        return NoMark.NAME
    if match["b"].isdecimal():
        return None
    count = len(_RANGE.findall(match["b"]))
    is_interval = _OF_INTERVALS.search(before) or _AFTER_INTERVAL.match(text, end)
    if (count > 1 and _OF_NUMBERS.search(before)) or (count == 2 and is_interval):
        return NoMark.NUMBERS
    return None


def _has_word_before(before: str) -> bool:
    return bool(before) and (before[-1].isalnum() or before[-1] in "_)")


def _is_after_name(before: str) -> bool:
    """Return whether a bracket follows a name of a program, rather than a word of prose."""
    if before[-1:].isspace():
        return False
    if before.endswith(")"):
        opening = before.rfind("(")
        return opening > 0 and (before[opening - 1].isalnum() or before[opening - 1] == "_")
    name = match[0] if (match := _NAME.search(before)) else ""
    if not name or name.endswith("."):
        return False
    if "_" in name or re.search(r"[a-z][A-Z]|[A-Za-z]\.[A-Za-z]", name):
        return not re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", name)  # U.S is no name
    if re.fullmatch(r"[a-z]+[0-9]+", name) or name in _NAMES:
        return True
    if re.search(r"\b[A-Z]\w+ [A-Z]$", before):
        return False  # Vitamin C, Part A
    return len(name) <= 2 and name.isalpha() and name.lower() not in _SHORT_WORDS
