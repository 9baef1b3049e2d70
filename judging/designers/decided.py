"""Pairs decided without participants: an empty answer loses, two empty answers tie. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from judging.designers.texts import DesignText

SHOWN, LOSE = "shown", "lose"  # empty answers in pairs


class DecidedTexts(NamedTuple):
    """Text ids of a decided pair, with the winner (a, b or tie)."""

    topic: int
    a: int
    b: int
    winner: str


def has_empty(sides: np.ndarray, texts: Sequence[DesignText]) -> np.ndarray:
    """Return a mask of the pairs with an empty text, shape (pairs,)."""
    empty = np.array([text.is_empty for text in texts], dtype=bool)
    return np.asarray(empty[sides].any(axis=1)) if len(sides) else np.empty(0, dtype=bool)


def decided(sides: np.ndarray, texts: Sequence[DesignText]) -> tuple[DecidedTexts, ...]:
    """Return the outcome of each pair with an empty text."""
    return tuple(_decided(texts[first], texts[second]) for first, second in sides.tolist())


def _decided(first: DesignText, second: DesignText) -> DecidedTexts:
    winner = "tie" if first.is_empty and second.is_empty else "b" if first.is_empty else "a"
    return DecidedTexts(first.topic or 0, first.id, second.id, winner)
