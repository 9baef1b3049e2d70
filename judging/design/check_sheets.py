"""What of the checks of a judging study is edited where. Only reads."""

from collections.abc import Callable, Iterator
from typing import Any

from annotation.builder.sheets import Element, Field, Group, listing

ACTS = (
    ("review", "show it to a person"),
    ("reject", "reject"),
    ("pay_anyway", "reject, but pay"),
)
CHECKS = (
    ("attention", "Attention items failed"),
    ("gold", "Gold items failed"),
    ("fast", "Faster than the least time"),
    ("same", "The same answer nearly everywhere"),
    ("copied", "Comments of somebody else"),
)


def check_groups(
    at: str, one: dict[str, Any], data: Any, of: Callable[[str, dict[str, Any], Any], str]
) -> Iterator[Group]:
    number = Field(
        f"{at}/defaults/gold_per_questionnaire",
        "Gold items in a questionnaire",
        one["defaults"]["gold_per_questionnaire"],
        "number",
        help="So many are drawn from the list. A questionnaire has none that it shows already.",
    )
    attention = listing(
        data,
        f"{at}/attention",
        "Attention items",
        "ready attention item",
        lambda path, each: _check(data, path, each, one),
        help="Pages like all others, but their texts say what to answer. Each is in every "
        "questionnaire, at a place that is drawn, and counts in no result.",
    )
    gold = listing(
        data,
        f"{at}/gold",
        "Gold items",
        "gold item",
        lambda path, each: _check(data, path, each, one),
        help="Items whose right answers are known. They count in no result.",
    )
    yield Group(
        "quality", of("Checks", one, data), (number,) if one["gold"] else (), (attention, gold)
    )


def training(
    at: str, one: dict[str, Any], data: Any, of: Callable[[str, dict[str, Any], Any], str]
) -> Group:
    pages = listing(
        data,
        f"{at}/training",
        "Before the first page",
        "training item",
        lambda path, each: _check(data, path, each, one),
        help="Items for practice, in this order: after each people are told what is right, and "
        "why. They come once for each person, and count in no result.",
    )
    return Group("forms", of("Training", one, data), lists=(pages,))


def _check(data: Any, path: str, each: dict[str, Any], one: dict[str, Any]) -> Element:
    fields = []
    if "text" in each:
        fields.append(
            Field(f"{path}/text", "In the place of the texts", each["text"], "markdown", wide=True)
        )
    else:
        fields.append(
            Field(
                f"{path}/item",
                "Item",
                each["item"],
                wide=True,
                help="Its key as in exports: those of its texts, with | between them.",
            )
        )
    if "/training/" in path:
        fields.append(
            Field(
                f"{path}/explanation",
                "Why this is right",
                each["explanation"],
                "markdown",
                wide=True,
                help="People read it after their answer.",
            )
        )
    fields.append(Field(f"{path}/key", "Name", each["key"], shapes=True))
    answers = listing(
        data,
        f"{path}/answers",
        "Right answers",
        "answer",
        lambda where, answer: _answer(where, answer, one),
        help="A question that is not here may be answered in any way. Left and right are as the "
        "item names its texts."
        if "item" in each
        else "",
        dense=True,
        adds=False,
    )
    return Element(path, each["key"], tuple(fields), (answers,))


def _answer(path: str, answer: dict[str, Any], one: dict[str, Any]) -> Element:
    questions = {each["key"]: each for each in one["questions"]}
    question = questions.get(answer["key"])
    scales = {each["key"]: each for each in one["scales"]}
    scale = scales.get(question["scale"]) if question else None
    label = question["text"] if question else answer["key"]
    if scale and scale["kind"] == "options":
        choices = tuple((each["code"], each["label"]) for each in scale["options"])
        if answer["answer"] not in dict(choices):
            choices = ((answer["answer"], f"{answer['answer']} (unknown)"), *choices)
        field = Field(f"{path}/answer", label, answer["answer"], "choice", choices=choices)
    else:
        field = Field(f"{path}/answer", label, answer["answer"])
    return Element(path, label, (field,))


def policies(data: Any) -> Group:
    """What becomes of work that a check has marked."""
    fields = []
    for check, title in CHECKS:
        policy, at = data["quality"]["policies"][check], f"quality/policies/{check}"
        fields.append(Field(f"{at}/act", title, policy["act"], "choice", choices=ACTS, shapes=True))
        if policy["act"] == "review":
            continue
        if check in ("attention", "gold"):
            fields.append(Field(f"{at}/least", "from so many failed on", policy["least"], "number"))
        fields.append(
            Field(
                f"{at}/automatic",
                "by itself",
                policy["automatic"],
                "yes",
                help="Else a reviewer is told, and decides.",
            )
        )
    return Group(
        "quality",
        "What becomes of marked work",
        tuple(fields),
        help="Every mark is shown with its number. Whatever is decided can be undone.",
    )
