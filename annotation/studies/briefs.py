"""Briefs of writing studies: what every author is told, and the texts that are wanted."""

from dataclasses import dataclass


@dataclass(frozen=True)
class StyleBrief:
    """A style with its instructions (Markdown)."""

    key: str
    name: str
    instructions: str


@dataclass(frozen=True)
class WritingBrief:
    """Instructions (Markdown), words, styles, and the texts as (id of the topic, key of the style).

    `passages` is the number of a topic's best passages that authors read, None for all.
    """

    instructions: str
    target_words: int
    low_words: int
    high_words: int
    passages: int | None
    styles: tuple[StyleBrief, ...]
    texts: tuple[tuple[int, str], ...]
