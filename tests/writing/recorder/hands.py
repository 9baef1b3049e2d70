"""Honest writers of several kinds: what their hands do, and how much that is.

Each act is counted where it is drawn, not read from a log. `recorded` is the log that the page
makes of the acts; tests/writing/recorder/test_counts.py compares it with a real Chromium.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from writing.log.eventlog import Copy, Cut, Edit, Event, Paste, Select, Start

THINKING = 2_000  # ms from which on a gap is no typing
LETTERS = "etaoinshrdlu"
SENTENCES = (
    "Gas lamps made the streets of the city safer than they had been before. ",
    "People walked home later and shops stayed open until the evening was over. ",
    "Some complained about the smell and about the price of the new light. ",
    "When wires arrived the lamps were taken down within a few years only. ",
    "Today a handful of them still burns in the parks because visitors like them. ",
    "Whether they were as bright as we imagine is a question for another page. ",
)
JAPANESE = (
    (("n", "に", "にh", "にほ", "にほn", "にほん"), "日本"),
    (
        (
            "n",
            "の",
        ),
        "の",
    ),
    (("g", "が", "がい", "がいt", "がいと", "がいとう"), "街灯"),
    (
        (
            "h",
            "は",
        ),
        "は",
    ),
    (("m", "む", "むk", "むか", "むかs", "むかし"), "昔"),
    (("g", "が", "がs", "がす"), "ガス"),
    (
        (
            "d",
            "で",
        ),
        "で",
    ),
    (("h", "ひ", "ひか", "ひかt", "ひかtt", "ひかった"), "光った"),
)


class Act(NamedTuple):
    """After `gap` ms: a key, a backspace, a composition, a commit, a cut, or a paste."""

    gap: float
    kind: str
    text: str = ""
    start: int = 0
    end: int = 0


@dataclass
class Counts:
    """Units, and the time of those that were typed without stopping to think."""

    typed: int = 0
    deleted: int = 0
    pasted: int = 0
    moved: int = 0
    without_paste: int = 0
    paced: int = 0
    ms: float = 0

    @property
    def pace(self) -> float:
        return self.paced / 5 / (self.ms / 60_000)


@dataclass
class Hands:
    rng: np.random.Generator
    gap: float = 190  # ms between two letters, in the middle
    acts: list[Act] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    length: int = 0
    confirmed: float = 0  # ms since the last change, in which a word was confirmed

    def pause(self, *, thinking: float = 0) -> float:
        if thinking and self.rng.random() < thinking:
            return float(self.rng.uniform(2_500, 8_000))
        return round(self.gap * float(self.rng.lognormal(0, 0.4)))

    def act(self, kind: str, text: str = "", *, gap: float, **more: int) -> None:
        self.acts.append(Act(min(gap, 9_000), kind, text, **more))

    def typed(self, units: int, gap: float) -> None:
        self.counts.typed += units
        self.length += units
        if gap < THINKING:
            self.counts.paced += units
            self.counts.ms += gap

    def deleted(self, units: int) -> None:
        self.counts.deleted += units
        self.length -= units

    def letter(self, letter: str, *, thinking: float = 0) -> None:
        gap = self.pause(thinking=thinking)
        self.act("key", letter, gap=gap)
        self.typed(1, gap)

    def backspace(self) -> None:
        self.act("back", gap=self.pause())
        self.deleted(1)

    def word(self, word: str) -> None:
        """By keys, with a slip now and then."""
        for place, letter in enumerate(word):
            if self.rng.random() < 0.04:
                self.letter(LETTERS[int(self.rng.integers(len(LETTERS)))])
                self.backspace()
            self.letter(letter, thinking=0 if place else 0.06)

    def glide(self, word: str) -> None:
        """On a phone: the word is a composition until the space."""
        letters = word.rstrip()
        slips = self.rng.random() < 0.06 and len(letters) > 3
        shown = ""
        for place, letter in enumerate(letters):
            if not slips and self.rng.random() < 0.03:
                gap = self.pause()
                wrong = shown + LETTERS[int(self.rng.integers(len(LETTERS)))]
                self.act("compose", wrong, gap=gap)
                self.typed(1, gap)
                if shown:
                    self.act("compose", shown, gap=self.pause())
                else:  # the whole composition goes
                    self.act("compose", "", gap=self.pause())
                self.deleted(1)
            gap = self.pause(thinking=0 if place else 0.06)
            shown += letter
            self.act("compose", shown, gap=gap)
            self.typed(1, gap)
        if slips and letters[-1] != letters[-2]:  # the keyboard puts it right
            wrong = letters[:-2] + letters[-1] + letters[-2]
            self.acts[-1] = self.acts[-1]._replace(text=wrong)
            self.acts[-2] = self.acts[-2]._replace(text=wrong[:-1])
        self.act("commit", letters, gap=0)
        if word != letters:
            gap = self.pause()
            self.act("commit", " ", gap=gap)
            self.typed(1, gap)

    def convert(self, ways: tuple[str, ...], word: str) -> None:
        """By an input method: letters become syllables, and those the word."""
        spent = 0.0
        for place, shown in enumerate(ways):
            gap = self.pause(thinking=0 if place else 0.06)
            self.act("compose", shown, gap=gap)
            since = gap + self.confirmed
            spent += since if since < THINKING else 0
            self.confirmed = 0
            if self.rng.random() < 0.05:
                gap = self.pause()
                self.act("compose", shown + "x", gap=gap)
                self.typed(1, gap)
                self.act("compose", shown, gap=self.pause())
                self.deleted(1)
        gap = self.pause()
        self.act("commit", word, gap=gap)
        self.counts.typed += len(word)
        self.length += len(word)
        self.counts.paced += len(word)
        self.counts.ms += spent
        if ways[-1] == word:  # nothing changes; the time passes before the next key
            self.confirmed = gap
        else:
            self.counts.ms += gap

    def dictate(self, phrase: str) -> None:
        self.act("commit", phrase, gap=float(self.rng.uniform(1_500, 4_000)))
        self.counts.without_paste += len(phrase)
        self.length += len(phrase)

    def move(self, start: int, end: int) -> None:
        """Cut a piece and paste it at the end."""
        self.act("cut", gap=1_500, start=start, end=end)
        self.deleted(end - start)
        self.act("paste", gap=1_500, start=self.length)
        self.counts.moved += end - start
        self.length += end - start

    def bring(self, passage: str) -> None:
        self.act("copy", passage, gap=2_500)
        self.act("paste", gap=1_500, start=self.length)
        self.counts.pasted += len(passage)
        self.length += len(passage)


def words_of(sentences: tuple[str, ...]) -> list[str]:
    return [f"{word} " for sentence in sentences for word in sentence.split()]


def desktop(hands: Hands, times: int) -> None:
    for word in words_of(SENTENCES) * times:
        hands.word(word)


def android(hands: Hands, times: int) -> None:
    hands.gap = 260
    for word in words_of(SENTENCES) * times:
        hands.glide(word)


def cjk(hands: Hands, times: int) -> None:
    for ways, word in JAPANESE * (4 * times):
        hands.convert(ways, word)


def dictation(hands: Hands, times: int) -> None:
    for sentence in SENTENCES * times:
        hands.dictate(sentence)
        if hands.rng.random() < 0.4:
            hands.word("and so on ")


def cut_and_paste(hands: Hands, times: int) -> None:
    for sentence in SENTENCES * times:
        start = hands.length
        hands.word(sentence)
        if hands.rng.random() < 0.5:
            hands.move(start, start + 24)
    hands.bring(PASSAGE)


PASSAGE = "The lamplighters walked a fixed round and were paid by the street they lit. "
KINDS: dict[str, Callable[[Hands, int], None]] = {
    "desktop": desktop,
    "android": android,
    "cjk": cjk,
    "dictation": dictation,
    "cut and paste": cut_and_paste,
}


def session(kind: str, seed: int, *, times: int = 1) -> Hands:
    hands = Hands(np.random.default_rng([seed, *kind.encode()]))
    KINDS[kind](hands, times)
    return hands


class _Log:
    """The log of some acts; all texts are in the plane in which a letter is one unit."""

    def __init__(self) -> None:
        self.events: list[Event] = [Start(seq=1, ms=0, length=0, version=1, agent="desk")]
        self.text, self.caret, self.composed, self.clip = "", 0, 0, ""
        self.ms = 0.0

    def add(self, kind: type[Any], **fields: Any) -> None:
        self.events.append(kind(seq=len(self.events) + 1, ms=round(self.ms), **fields))

    def replace(self, start: int, end: int, text: str, how: str) -> None:
        old, self.text = self.text, self.text[:start] + text + self.text[end:]
        self.caret = start + len(text)
        head = tail = 0
        if "Composition" in how:
            while head < min(end - start, len(text)) and old[start + head] == text[head]:
                head += 1
            most = min(end - start, len(text)) - head
            while tail < most and old[end - 1 - tail] == text[len(text) - 1 - tail]:
                tail += 1
        deleted, inserted = end - start - head - tail, text[head : len(text) - tail]
        if deleted or inserted:
            self.add(Edit, at=start + head, deleted=deleted, inserted=inserted, input=how)

    def do(self, act: Act) -> None:
        self.ms += act.gap
        here = self.caret
        if act.kind == "key":
            self.replace(here, here, act.text, "insertText")
        elif act.kind == "back":
            self.replace(here - 1, here, "", "deleteContentBackward")
        elif act.kind == "compose":
            self.replace(here - self.composed, here, act.text, "insertCompositionText")
            self.composed = len(act.text)
        elif act.kind == "commit":
            how = "insertCompositionText" if self.composed else "insertText"
            self.replace(here - self.composed, here, act.text, how)
            self.composed = 0
        elif act.kind == "copy":
            self.clip = act.text
            self.add(Copy, source="passage", length=len(act.text), passage=0)
        elif act.kind == "cut":
            self.clip = self.text[act.start : act.end]
            self.add(Select, start=act.start, end=act.end)
            self.add(Cut, at=act.start, length=act.end - act.start)
            self.replace(act.start, act.end, "", "deleteByCut")
        elif act.kind == "paste":
            own = {"source": "own"} if self.clip != PASSAGE else {"source": "passage", "passage": 0}
            self.add(Select, start=act.start, end=act.start)
            self.add(Paste, at=act.start, length=len(self.clip), **own)
            self.replace(act.start, act.start, self.clip, "insertFromPaste")


def recorded(hands: Hands) -> list[Event]:
    """Return the log that the writing page makes of these acts."""
    log = _Log()
    for act in hands.acts:
        log.do(act)
    return log.events
