"""Canonical values of raw answers, whatever order was shown.

Three published tables went wrong because an answer "left" was read without the order of the texts.
So the value of a preference is the key of the preferred object, made here, once.
"""

import math
from typing import Any, NamedTuple

from annotation.texts.sentences import Sentence

NUMBER_LENGTH = 30  # characters


class NotOnScale(ValueError):
    """Refusal of a raw answer that the scale does not offer."""

    def __init__(self, said: Sentence) -> None:
        self.said = said
        super().__init__(said)


class CanonicalAnswer(NamedTuple):
    """`value` is canonical: a key of the chosen object, a code, a number, or a text."""

    raw: str
    value: str
    score: float | None = None


def canonical(
    *,
    spec: dict[str, Any],
    raw: str,
    shown: tuple[str, ...],
    places: tuple[str, ...],
    contents: dict[str, str],
) -> CanonicalAnswer:
    """Return the canonical answer.

    `shown` are the slot names from left to right and `places` the nominal names of these places;
    other slots keep their place. `contents` maps slot names to keys. Raises NotOnScale.
    """
    if spec["kind"] == "text":
        return _text(spec, raw)
    if spec["kind"] == "range":
        return _number(spec, raw)
    for option in spec["options"]:
        if option["code"] == raw:
            break
    else:
        raise NotOnScale(Sentence("“{answer}” isn't an option for this question.", answer=raw[:40]))
    if option["role"] != "slot":
        return CanonicalAnswer(raw, raw, option.get("score"))
    slot = shown[places.index(option["slot"])] if option["slot"] in places else option["slot"]
    return CanonicalAnswer(raw, contents[slot], option.get("score"))


def _text(spec: dict[str, Any], raw: str) -> CanonicalAnswer:
    text, limit = raw.strip(), spec.get("max_length", 2000)
    if not text or len(raw) > limit or "\x00" in text:
        raise NotOnScale(Sentence("Please enter 1 to {limit} characters.", limit=limit))
    return CanonicalAnswer(raw, text)


def _number(spec: dict[str, Any], raw: str) -> CanonicalAnswer:
    try:
        number = float(raw if len(raw) <= NUMBER_LENGTH else "nan") + 0.0  # -0 is 0
    except ValueError:
        number = math.nan
    low, high = spec["min"], spec["max"]
    steps = (number - low) / spec.get("step", 1)
    if not low <= number <= high or abs(steps - round(steps)) > 1e-9:
        message = Sentence("Please choose a number from {low:g} to {high:g}.", low=low, high=high)
        raise NotOnScale(message)
    return CanonicalAnswer(raw, f"{number:.15g}", number)


def level_of(spec: dict[str, Any]) -> Any:
    """Return the level of measurement of a scale: nominal, ordinal or interval.

    The default depends on the kind: ranges are interval, options ordinal unless they are
    categories or choose among more than two.
    """
    if "level" in spec:
        return spec["level"]
    if spec.get("kind") == "range":
        return "interval"
    roles = [option["role"] for option in spec.get("options", [])]
    categories = "label" in roles or roles.count("slot") > 2
    return "nominal" if categories or not roles else "ordinal"


def polarity_of(option: dict[str, Any]) -> str:
    """Return "best" or "worst" of the chosen slot, "positive" of the better label; "" for none.

    The default of an option that chooses a slot depends on its score.
    """
    polarity = str(option.get("polarity") or "")
    if option["role"] != "slot":
        return polarity
    return polarity or ("worst" if (option.get("score") or 0) < 0 else "best")


def ends_of(spec: dict[str, Any]) -> tuple[float, float] | None:
    """Return the lowest and the highest number of a scale, None where it has no numbers."""
    if {"min", "max"} <= set(spec):
        return spec["min"], spec["max"]
    scores = [
        option["score"] for option in spec.get("options", ()) if option.get("score") is not None
    ]
    return (min(scores), max(scores)) if scores else None
