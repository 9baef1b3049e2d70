"""A ready attention item, worded for the questions of an instrument."""

from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from annotation.studies.translations import ORIGINAL
from annotation.texts.sentences import marked

SAME = marked(
    "**This is no text to judge.** We ask this once, to see that pages are read.\n\nPlease choose "
    "**{answer}** for every question on this page, and go on."
)
EACH = marked(
    "**This is no text to judge.** We ask this once, to see that pages are read.\n\nPlease answer "
    "the questions on this page like this, and go on:\n\n{answers}"
)


def ready_attention(one: dict[str, Any], *, key: str, language: str = ORIGINAL) -> dict[str, Any]:
    """Return the attention item that asks for the last answer of each question.

    Every other question that chooses a text asks for the first, so that answers differ.
    """
    scales = {scale["key"]: scale for scale in one["scales"]}
    answers, labels = [], {}
    for number, question in enumerate(one["questions"]):
        choices = _choices(scales.get(question["scale"], {}))
        if not choices:
            continue
        is_second = question["arity"] == "choose" and number % 2
        code, label = choices[0 if is_second else -1]
        answers.append({"key": question["key"], "answer": code})
        labels[question["text"]] = label
    with translation.override(language):
        return {"key": key, "text": _text(labels), "answers": answers}


def _text(labels: dict[str, str]) -> str:
    distinct_labels = set(labels.values())
    if len(distinct_labels) == 1:
        return gettext(SAME).format(answer=distinct_labels.pop())
    lines = "\n".join(f"- {text}: **{label}**" for text, label in labels.items())
    return gettext(EACH).format(answers=lines)


def _choices(scale: dict[str, Any]) -> list[tuple[str, str]]:
    """Return code and label of the answers that choose or rank, or of the ends of a range."""
    if scale.get("kind") == "options":
        options = scale["options"]
        slots = [option for option in options if option["role"] == "slot"]
        return [(slot["code"], slot["label"]) for slot in slots or options]
    if scale.get("kind") == "range" and None not in (scale["min"], scale["max"]):
        return [(f"{n:g}", f"{n:g}") for n in (scale["min"], scale["max"])]
    return []
