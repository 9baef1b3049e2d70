"""A writer whose every key is made up, for trying a writing study before it is paid for.

What they do is plain: they read the passages, type a sentence on each with its citation, pause,
mistype and correct, paste a sentence of a passage here and there, and if they are asked to one
from elsewhere. The log goes through the same doors as that of a browser.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from django.db import transaction

from annotation.fieldwork.recruiting.arriving import Arrival, arrive
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.item_order import generator
from annotation.fieldwork.work.refusals import CapReached, NoTaskLeft, NothingNew, StudyNotOpen
from annotation.models import Assignment, Study
from annotation.studies.drafts.kinds import Crowd
from annotation.texts.words import count_words
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import (
    Away,
    Back,
    Blur,
    Copy,
    Dwell,
    Edit,
    Event,
    Focus,
    Hidden,
    Key,
    Paste,
    Scroll,
    Select,
    Shown,
    Start,
    encode,
)
from writing.models import Brief

PLATFORM = "simulation"
AGENT = "simulation"
CHUNK = 150  # events that the browser would send at once
AGO = timedelta(hours=1)  # longer than a text takes: nothing lies in the future
LETTERS = "etaoinshrdlu"
ELSEWHERE = (
    "In conclusion, it is important to note that this topic is multifaceted and that several "
    "factors have to be taken into account."
)


@dataclass(frozen=True)
class SimulatedWriter:
    """A simulated writer.

    `gap` is the median time between keys in ms; the others are the probabilities of a typo
    and of pasting a sentence of a passage.
    """

    name: str
    gap: float = 120
    mistypes: float = 0.03
    pastes: float = 0.15
    foreign: bool = False  # whether one sentence comes from elsewhere


class Hands:
    """Types, pastes and looks; `events` is the log, `text` what stands there (BMP only)."""

    def __init__(self, writer: SimulatedWriter, rng: np.random.Generator) -> None:
        self.writer, self.rng = writer, rng
        self.events: list[Event] = []
        self.text, self.ms = "", 0.0
        self.add(Start, length=0, version=1, agent=AGENT)
        self.add(Back)
        self.add(Focus)

    def add(self, kind: type[Any], *, later: float = 0, **fields: Any) -> None:
        self.ms += max(0.0, later)
        self.events.append(kind(seq=len(self.events) + 1, ms=round(self.ms), **fields))

    def edit(self, deleted: int, inserted: str, how: str, *, later: float = 2) -> None:
        """Change the end of the text."""
        at = len(self.text) - deleted
        self.text = self.text[:at] + inserted
        self.add(Edit, later=later, at=at, deleted=deleted, inserted=inserted, input=how)

    def stroke(self, letter: str) -> None:
        """One key; an empty letter is the backspace."""
        code = "Backspace" if not letter else "Space" if letter == " " else f"Key{letter.upper()}"
        if letter and not (letter.isascii() and letter.isalpha()) and letter != " ":
            code = "Period"
        gap = self.writer.gap * float(self.rng.lognormal(0, 0.4))
        self.add(Key, later=gap, code=code, down=True)
        if letter:
            self.edit(0, letter, "insertText")
        else:
            self.edit(1, "", "deleteContentBackward")
        self.add(Key, later=min(90, 0.6 * gap), code=code, down=False)

    def type(self, text: str) -> None:
        for word in re.findall(r"\S+\s*|\s+", text):
            if self.rng.random() < 0.06:
                self.ms += float(self.rng.uniform(2_500, 9_000))  # a pause to think
            for letter in word:
                if self.rng.random() < self.writer.mistypes:
                    self.stroke(LETTERS[int(self.rng.integers(len(LETTERS)))])
                    self.ms += float(self.rng.uniform(150, 500))
                    self.stroke("")
                self.stroke(letter)

    def cite(self, passage: int) -> None:
        self.add(Dwell, later=600, passage=passage, duration=600)
        self.edit(0, f" [{passage}]", "insertCitation", later=300)

    def read(self, passage: int, seconds: float) -> None:
        """Turn to a passage and come back."""
        self.add(Blur, later=400)
        for _ in range(4):
            self.add(Scroll, later=120, part="passages", top=300 * passage)
        self.add(Dwell, later=1_000 * seconds, passage=passage, duration=round(1_000 * seconds))
        self.add(Focus, later=500)
        self.add(Select, later=1, start=len(self.text), end=len(self.text))

    def paste(self, text: str, **source: Any) -> None:
        if "passage" in source:
            self.add(Copy, later=900, length=len(text), **source)
        self.add(Paste, later=1_500, at=len(self.text), length=len(text), **source)
        self.edit(0, text, "insertFromPaste")

    def fetch_elsewhere(self, text: str) -> None:
        """Leave the page for a while, come back with a text."""
        self.add(Hidden, later=800)
        self.add(Away)
        self.add(Shown, later=25_000)
        self.add(Back)
        self.paste(text, source="outside")


def write(
    writer: SimulatedWriter, passages: Sequence[str], *, words: int, style: str, seed: int
) -> Hands:
    """Write about this number of words from the passages; reproducible by seed and name."""
    hands = Hands(writer, generator("writing", seed, writer.name, style))
    rng = hands.rng
    foreign_at = words // 2 if writer.foreign else None
    for number, sentence in sentences(passages, rng):
        count = count_words(hands.text)
        if count >= words:
            break
        if foreign_at is not None and count >= foreign_at:
            hands.fetch_elsewhere(ELSEWHERE + " ")
            foreign_at = None
        hands.read(number, float(rng.uniform(4, 14)))
        if style == "bullet":
            hands.type(("\n" if hands.text else "") + "- ")
        if rng.random() < writer.pastes:
            hands.paste(sentence[:-1], source="passage", passage=number)
        else:
            hands.type(sentence[:-1])
        hands.cite(number)
        hands.type(sentence[-1] + _after(style, rng))
    hands.add(Blur, later=3_000)
    return hands


def _after(style: str, rng: np.random.Generator) -> str:
    """Return the separator after a statement: now and then a new paragraph."""
    if style == "bullet":
        return ""
    return "\n\n" if rng.random() < 0.3 else " "


def sentences(passages: Sequence[str], rng: np.random.Generator) -> Iterator[tuple[int, str]]:
    """Sentences and the passages they are from: one from each, in a drawn order, and again."""
    left = [re.findall(r"[^.!?]+[.!?]", text) for text in passages]
    while any(left):
        for number in rng.permutation(len(left)):
            if left[number]:
                yield int(number), left[number].pop(0).strip()


def simulate(
    *, study: Study, writer: SimulatedWriter, arrived: datetime, words: int = 0
) -> Assignment:
    """Let the writer do one task, from the link to the submission, as long as the log takes.

    Raises what `arrive` raises where there is none for them.
    """
    arrival = Arrival(PLATFORM, writer.name, pseudonym=writer.name)
    work = assigning.begin(
        assignment=arrive(study=study, arrival=arrival, now=arrived), now=arrived
    )
    drafting.acknowledge(
        assignment=work, now=arrived, answers=_answers(study.entry_form, writer, study.seed)
    )
    hands = write(
        writer,
        [passage.text for passage in work.task.writing_task.passages],
        words=words or Brief.objects.get(study=study).target_words,
        style=work.task.writing_task.style,
        seed=study.seed,
    )
    chunks = [hands.events[at : at + CHUNK] for at in range(0, len(hands.events), CHUNK)]
    for number, events in enumerate(chunks, start=1):
        now = arrived + timedelta(milliseconds=events[-1].ms)
        collect(assignment=work, number=number, events_json=encode(events), now=now, tab="one")
    work.refresh_from_db()
    return drafting.submit(
        assignment=work,
        text=hands.text,
        last_number=len(chunks),
        now=arrived + timedelta(milliseconds=round(hands.ms) + 20_000),
        exit_answers=_answers(study.exit_form, writer, study.seed),
    )


def simulate_crowd(*, study: Study, crowd: Crowd, now: datetime) -> Iterator[Assignment]:
    """Yield the submissions of a crowd, each writer as often as allowed.

    One writer in five pastes a sentence from elsewhere. A text is begun and submitted in one
    transaction, so that no sweep expires it in between.
    """
    for _ in range(study.tasks_per_worker):
        for number, name in enumerate(crowd.names):
            writer = SimulatedWriter(name, foreign=number % 5 == 4)
            try:
                with transaction.atomic():
                    done = simulate(study=study, writer=writer, arrived=now - AGO)
            except (NoTaskLeft, StudyNotOpen):
                return
            except (CapReached, NothingNew):
                continue
            yield done


def _answers(form: Sequence[dict[str, Any]], writer: SimulatedWriter, seed: int) -> dict[str, str]:
    """Draw an option for every question."""
    rng = generator("form", seed, writer.name)
    return {
        field["key"]: field["options"][int(rng.integers(len(field["options"])))]["code"]
        for field in form
        if field.get("options")
    }
