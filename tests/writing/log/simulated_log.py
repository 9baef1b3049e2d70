"""A log of somebody who writes about 250 words: every key down and up, second thoughts, pastes."""

import random
from typing import Any

from writing.log.eventlog import (
    Blur,
    Copy,
    Dwell,
    Edit,
    Event,
    Filter,
    Focus,
    Hidden,
    Key,
    Paste,
    Resize,
    Scroll,
    Select,
    Shown,
    Start,
)

AGENT = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0"
SYLLABLES = (  # noqa: SIM905 - a text is easier to read
    "the of and to in a is that for it was on are as with his they at be this have from or one had "
    "by word but not what all were we when your can said there use an each which she do how their "
    "if will up other about out many then them these so some her would make like him into time has "
    "look two more write go see number no way could people my than first water been call who oil "
    "evidence studies passage policy climate energy however although generally because between"
).split()


class Writer:
    """Types with the keyboard of a fast writer; `events` is the log, `text` what stands there."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.events: list[Event] = []
        self.text, self.ms = "", 0
        self.add(Start, length=0, version=1, agent=AGENT)
        self.add(Resize, width=1440, height=812)
        self.add(Focus)

    def add(self, kind: type[Any], *, later: float = 0, **fields: Any) -> None:
        self.ms += max(0, round(later))
        self.events.append(kind(seq=len(self.events) + 1, ms=self.ms, **fields))

    def edit(self, at: int, deleted: int, inserted: str, input: str, *, later: float = 2) -> None:
        self.text = self.text[:at] + inserted + self.text[at + deleted :]
        self.add(Edit, later=later, at=at, deleted=deleted, inserted=inserted, input=input)

    def gap(self) -> float:
        slow = self.random.random()
        if slow < 0.02:
            return self.random.uniform(2000, 9000)
        return self.random.lognormvariate(4.7, 0.45)

    def stroke(self, letter: str, *, backspace: bool = False) -> None:
        code = "Backspace" if backspace else "Space" if letter == " " else f"Key{letter.upper()}"
        shift = letter.isupper()
        if shift:
            self.add(Key, later=self.gap(), code="ShiftLeft", down=True)
        self.add(Key, later=self.gap(), code=code, down=True)
        at = len(self.text)
        if backspace:
            self.edit(at - 1, 1, "", "deleteContentBackward", later=self.random.choice([1, 2, 2]))
        else:
            self.edit(at, 0, letter, "insertText", later=self.random.choice([1, 2, 2, 3]))
        self.add(Key, later=self.random.gauss(85, 20), code=code, down=False)
        if shift:
            self.add(Key, later=self.random.gauss(30, 12), code="ShiftLeft", down=False)

    def word(self, word: str) -> None:
        for letter in word:
            if self.random.random() < 0.05:
                self.stroke(self.random.choice("etaoinshrdlu"))
                self.stroke("", backspace=True)
            self.stroke(letter)
        self.stroke(" ")

    def look(self) -> None:
        """Turn to the passages and come back."""
        passage = self.random.randrange(20)
        self.add(Blur, later=self.gap())
        for _ in range(self.random.randrange(3, 12)):
            self.add(Scroll, later=90, part="passages", top=self.random.randrange(9000))
        self.add(Dwell, later=6400, passage=passage, duration=self.random.randrange(1000, 6000))
        if self.random.random() < 0.3:
            self.add(Filter, later=500, query=self.random.choice(SYLLABLES), matches=passage)
            self.add(Hidden, later=300)
            self.add(Shown, later=20000)
        self.add(Focus, later=500)
        self.add(Select, later=1, start=len(self.text), end=len(self.text))

    def paste(self) -> None:
        snippet = " ".join(self.random.choices(SYLLABLES, k=15)) + " "
        passage, at = self.random.randrange(20), len(self.text)
        self.add(Copy, later=900, source="passage", length=len(snippet), passage=passage)
        self.add(Paste, later=2000, at=at, length=len(snippet), source="passage", passage=passage)
        self.edit(at, 0, snippet, "insertFromPaste")


def written(*, words: int = 250, seed: int = 1) -> Writer:
    """Return a finished writer of this many words."""
    writer = Writer(seed)
    for count in range(words):
        word = writer.random.choice(SYLLABLES)
        writer.word(word.capitalize() if count % 14 == 0 else word)
        if count % 14 == 13:
            writer.look()
        if count % 80 == 79:
            writer.paste()
    return writer
