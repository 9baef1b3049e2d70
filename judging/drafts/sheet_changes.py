"""Changes of a document when an element of an instrument is added or removed."""

from typing import Any

from django.utils import translation
from django.utils.translation import gettext

from annotation.console.builder.typed_input import blank
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.plain_data import plain
from annotation.studies.translations import ORIGINAL
from annotation.texts.sentences import marked
from judging.instruments.schema import (
    AnswerSpec,
    CriterionSpec,
    KnownSpec,
    OptionSpec,
    QuestionSpec,
    ScaleSpec,
)

SAME = marked(
    "**There is no text to judge here.** This page checks that people read the pages.\n\n"
    "Please choose **{answer}** for every question on this page, then continue."
)
EACH = marked(
    "**There is no text to judge here.** This page checks that people read the pages.\n\n"
    "Please answer the questions on this page as follows, then continue:\n\n{answers}"
)


def adding(data: Any, path: str) -> list[DraftChange] | None:
    """Return the changes for a new element of this list; None for the usual one."""
    at, _, list_name = path.rpartition("/")
    if not path.startswith("instruments/"):
        return None
    if list_name in ("attention", "gold", "training"):
        return [DraftChange("add", path, _check(data, at, list_name))]
    if list_name == "questions":
        instrument = paths.at(data, at)
        key = paths.free_name(
            [part["key"] for part in (*instrument["criteria"], *instrument["questions"])],
            "question",
        )
        last = instrument["questions"][-1] if instrument["questions"] else {}
        scale = last.get("scale") or (
            instrument["scales"][0]["key"] if instrument["scales"] else ""
        )
        question = QuestionSpec(key, key, scale, "", arity=last.get("arity", "item"))
        return [
            DraftChange("add", f"{at}/criteria", plain(CriterionSpec(key, ""))),
            DraftChange("add", path, plain(question)),
        ]
    if list_name == "scales":
        key = paths.free_name([part["key"] for part in paths.at(data, path)], "answers")
        options = [OptionSpec(code, "", "label") for code in ("1", "2")]
        return [DraftChange("add", path, plain(ScaleSpec(key, "options", options)))]
    if list_name == "options" and "/scales/" in path:
        options_now = paths.at(data, path)
        codes = [option["code"] for option in options_now]
        code = next(c for c in map(str, range(1, len(codes) + 2)) if c not in codes)
        role = options_now[-1]["role"] if options_now else "label"
        option = plain(blank(OptionSpec, name=code)) | {"role": role}
        return [DraftChange("add", path, option)]
    return None


def _check(data: Any, at: str, what: str) -> dict[str, Any]:
    """Return a ready attention item, or a known item with an empty answer to each question."""
    instrument = paths.at(data, at)
    key = paths.free_name([check["key"] for check in instrument.get(what, [])], what)
    ready = ready_attention(instrument, key=key, language=data["language"])
    if what == "attention":
        return ready
    known_item: dict[str, Any] = plain(
        KnownSpec(key, "", [AnswerSpec(**answer) for answer in ready["answers"]])
    )
    return known_item


def removing(data: Any, path: str) -> list[DraftChange]:
    """Return the changes with an element: the criterion that only this question uses."""
    head, _ = paths.above(path)
    at, _, list_name = head.rpartition("/")
    if list_name != "questions" or not path.startswith("instruments/"):
        return []
    instrument, key = paths.at(data, at), paths.at(data, path)["criterion"]
    shared = sum(question["criterion"] == key for question in instrument["questions"]) > 1
    criterion = f"{at}/{paths.joined('criteria', key)}"
    has_criterion = paths.get(data, criterion) is not paths.MISSING
    return [DraftChange("remove", criterion)] if has_criterion and not shared else []


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
