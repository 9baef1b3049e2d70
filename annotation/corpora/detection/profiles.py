"""Profiles of the values of columns: ids, numbers, short names, texts, lists. Pure."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

NUMBER = re.compile(r"[+-]?\d{1,18}([.,]\d+)?(e[+-]?\d+)?%?", re.IGNORECASE)
DIGIT = re.compile(r"\d")
WHOLE = re.compile(r"\d{1,18}(\.0+)?")
ADDRESS = re.compile(r"https?://\S+")
LIST = re.compile(r"\[\s*(['\"{]|\])|array\(\[")
ASKING = re.compile(
    r"(who|what|when|where|why|how|which|is|are|does|do|can|should|wer|was|wann|wo|warum|wie|welche\w*"
    r"|qui|que|quand|où|pourquoi|comment|qué|cuándo|dónde|por qué|cómo)\b",
    re.IGNORECASE,
)
WIDE = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]"
)  # no spaces between words
TEXT_WORDS, LONG_WORDS = 3.0, 12.0  # words on average
MOST_NAME = 60  # characters of the name of a system
MOST_SYSTEMS = 60


@dataclass
class Profile:
    """Profile of a column, by its first rows."""

    name: str
    rows: int = 0
    filled: int = 0
    words: float = 0.0  # on average
    characters: int = 0  # altogether
    longest: int = 0
    numbers: int = 0
    wholes: int = 0
    lowest: float = math.inf
    lists: int = 0
    asking: int = 0
    codes: int = 0  # words with a digit
    addresses: int = 0
    values: Counter[str] = field(default_factory=Counter)

    @property
    def is_empty(self) -> bool:
        return self.filled == 0

    @property
    def is_number(self) -> bool:
        return bool(self.filled) and self.numbers == self.filled

    @property
    def is_list(self) -> bool:
        return self.lists > self.filled / 2

    @property
    def is_text(self) -> bool:
        """Sentences, or words that are no id, name or number."""
        return self.words >= TEXT_WORDS and not self.is_list and self.addresses < self.filled / 2

    @property
    def is_long(self) -> bool:
        return self.is_text and self.words >= LONG_WORDS

    @property
    def is_sparse(self) -> bool:
        return self.filled < 0.7 * self.rows

    @property
    def is_repeated(self) -> bool:
        """Return whether values come back: those of questions with several answers."""
        return self.filled >= 2 and len(self.values) <= 0.75 * self.filled

    @property
    def is_unique(self) -> bool:
        return len(self.values) == self.filled

    @property
    def is_of_ids(self) -> bool:
        return bool(self.filled) and self.words <= 1.2 and self.longest <= 100 and not self.is_list

    @property
    def is_of_codes(self) -> bool:
        """Return whether the values are ids with digits, such as q12: no words to be read."""
        return self.is_of_ids and self.codes > self.filled / 2

    @property
    def is_of_names(self) -> bool:
        """Few short names, each of them several times: those of systems."""
        count = len(self.values)
        return (
            self.filled >= 2
            and self.longest <= MOST_NAME
            and not self.is_number
            and self.words <= 6
            and count <= min(MOST_SYSTEMS, max(1, self.filled // 2))
            and not self.asking
        )

    @property
    def asks(self) -> bool:
        return self.asking > self.filled / 2


def profiles_of(rows: Sequence[Mapping[str, Any]], names: Iterable[str]) -> dict[str, Profile]:
    """Return the profiles of these columns."""
    profiles = {name: Profile(name, rows=len(rows)) for name in names}
    for row in rows:
        for name, profile in profiles.items():
            _add(profile, row.get(name))
    for profile in profiles.values():
        profile.words /= max(1, profile.filled)
    return profiles


def _add(profile: Profile, value: Any) -> None:
    if value is None or value == "" or value == []:
        return
    profile.filled += 1
    if isinstance(value, list | dict):
        profile.lists += 1
        profile.characters += len(str(value))
        return
    text = value if isinstance(value, str) else str(value)
    stripped = text.strip()
    if not stripped:
        profile.filled -= 1
        return
    profile.characters += len(text)
    profile.longest = max(profile.longest, len(stripped))
    profile.words += len(stripped.split()) + len(WIDE.findall(stripped)) / 2
    profile.values[stripped[:500]] += 1
    if len(stripped) < 30 and NUMBER.fullmatch(stripped):
        profile.numbers += 1
        if WHOLE.fullmatch(stripped):
            profile.wholes += 1
            profile.lowest = min(profile.lowest, float(stripped))
    profile.lists += bool(LIST.match(stripped))
    profile.codes += len(stripped) < 100 and bool(DIGIT.search(stripped))
    profile.addresses += bool(ADDRESS.match(stripped))
    profile.asking += stripped.endswith(("?", "？", "؟")) or bool(ASKING.match(stripped))


def text_share(profiles: Mapping[str, Profile], columns: Iterable[str]) -> float:
    """Return the share of all characters of texts that these columns hold."""
    total = sum(one.characters for one in profiles.values() if one.is_text)
    wanted = set(columns)
    read = sum(one.characters for one in profiles.values() if one.is_text and one.name in wanted)
    return read / total if total else 1.0
