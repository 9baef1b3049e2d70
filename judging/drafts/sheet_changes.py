"""Changes of a document when an element of an instrument is added or removed."""

from typing import Any

from annotation.console.builder.typed_input import blank
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import Change
from annotation.studies.drafts.schema import plain
from judging.drafts.ready_checks import ready_attention
from judging.instruments.files import (
    AnswerSpec,
    CriterionSpec,
    KnownSpec,
    OptionSpec,
    QuestionSpec,
    ScaleSpec,
)


def adding(data: Any, path: str) -> list[Change] | None:
    """Return the changes for a new element of this list; None for the usual one."""
    at, _, what = path.rpartition("/")
    if not path.startswith("instruments/"):
        return None
    if what in ("attention", "gold", "training"):
        return [Change("add", path, _check(data, at, what))]
    if what == "questions":
        one = paths.at(data, at)
        key = paths.free_name(
            [each["key"] for each in (*one["criteria"], *one["questions"])], "question"
        )
        last = one["questions"][-1] if one["questions"] else {}
        scale = last.get("scale") or (one["scales"][0]["key"] if one["scales"] else "")
        question = QuestionSpec(key, key, scale, "", arity=last.get("arity", "item"))
        return [
            Change("add", f"{at}/criteria", plain(CriterionSpec(key, ""))),
            Change("add", path, plain(question)),
        ]
    if what == "scales":
        key = paths.free_name([each["key"] for each in paths.at(data, path)], "answers")
        options = [OptionSpec(code, "", "label") for code in ("1", "2")]
        return [Change("add", path, plain(ScaleSpec(key, "options", options)))]
    if what == "options" and "/scales/" in path:
        options_now = paths.at(data, path)
        codes = [each["code"] for each in options_now]
        code = next(c for c in map(str, range(1, len(codes) + 2)) if c not in codes)
        role = options_now[-1]["role"] if options_now else "label"
        option = plain(blank(OptionSpec, name=code)) | {"role": role}
        return [Change("add", path, option)]
    return None


def _check(data: Any, at: str, what: str) -> dict[str, Any]:
    """Return a ready attention item, or a known item with an empty answer to each question."""
    one = paths.at(data, at)
    key = paths.free_name([each["key"] for each in one.get(what, [])], what)
    ready = ready_attention(one, key=key, language=data["language"])
    if what == "attention":
        return ready
    known: dict[str, Any] = plain(
        KnownSpec(key, "", [AnswerSpec(**each) for each in ready["answers"]])
    )
    return known


def removing(data: Any, path: str) -> list[Change]:
    """Return the changes with an element: the criterion that only this question uses."""
    head, _ = paths.above(path)
    at, _, what = head.rpartition("/")
    if what != "questions" or not path.startswith("instruments/"):
        return []
    one, key = paths.at(data, at), paths.at(data, path)["criterion"]
    shared = sum(each["criterion"] == key for each in one["questions"]) > 1
    criterion = f"{at}/{paths.joined('criteria', key)}"
    there = paths.get(data, criterion) is not paths.MISSING
    return [Change("remove", criterion)] if there and not shared else []
