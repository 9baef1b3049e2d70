"""Form elements of questions, criteria and scales."""

from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.instrument_fields import export_name
from annotation.studies.drafts import paths
from annotation.studies.drafts.editor_forms import (
    Element,
    ElementList,
    Field,
    listing,
    translated_choices,
)
from judging.drafts.sheet_labels import (
    ARITIES,
    LEVELS,
    POLARITIES,
    ROLES,
    SCALES,
)
from judging.items.kinds import KINDS, item_kind


def question_element(
    path: str, each: dict[str, Any], at: str, one: dict[str, Any], own: set[str]
) -> Element:
    criteria = {c["key"]: c for c in one["criteria"]}
    fields = [Field(f"{path}/text", gettext("Question"), each["text"], "text", wide=True)]
    criterion = criteria.get(each["criterion"])
    if criterion and each["criterion"] in own:
        where = f"{at}/{paths.joined('criteria', each['criterion'])}"
        fields += [
            Field(f"{where}/name", gettext("In short"), criterion["name"]),
            Field(
                f"{where}/definition",
                gettext("Explanation"),
                criterion["definition"],
                "markdown",
                help=gettext("It opens beside the question."),
                wide=True,
            ),
        ]
    fields += [
        Field(
            f"{path}/scale",
            gettext("Answered by"),
            each["scale"],
            "choice",
            choices=_known([(s["key"], _scale_words(s)) for s in one["scales"]], each["scale"]),
        ),
        Field(
            f"{path}/arity",
            gettext("Asked"),
            each["arity"],
            "choice",
            choices=translated_choices(ARITIES),
        ),
        Field(
            f"{path}/criterion",
            gettext("About the criterion"),
            each["criterion"],
            "choice",
            choices=_known([(c["key"], c["name"]) for c in one["criteria"]], each["criterion"]),
            shapes=True,
        ),
        export_name(f"{path}/key", each["key"]),
        Field(
            f"{path}/justification",
            gettext("Offer a field for the reason"),
            each["justification"],
            "yes",
        ),
        Field(f"{path}/optional", gettext("It may be left out"), each["optional"], "yes"),
    ]
    return Element(path, each["text"] or "New question", tuple(fields))


def _known(choices: list[tuple[str, str]], value: str) -> tuple[tuple[str, str], ...]:
    """Return the choices with the current value, even if it is none of them."""
    return tuple(choices if value in dict(choices) else [(value, f"{value} (unknown)"), *choices])


def _scale_words(scale: dict[str, Any]) -> str:
    if scale["kind"] == "options":
        return " / ".join(option["label"] or "…" for option in scale["options"]) or scale["key"]
    if scale["kind"] == "range" and scale["min"] is not None and scale["max"] is not None:
        return f"{scale['min']:g} to {scale['max']:g}"
    return "a text" if scale["kind"] == "text" else scale["key"]


def criterion_element(path: str, each: dict[str, Any]) -> Element:
    return Element(
        path,
        each["name"] or each["key"],
        (
            Field(f"{path}/name", gettext("In short"), each["name"]),
            Field(
                f"{path}/topic",
                gettext("Only for the topic"),
                each["topic"],
                help=gettext("Its key in the corpus; empty for all."),
            ),
            Field(
                f"{path}/definition",
                gettext("Explanation"),
                each["definition"],
                "markdown",
                wide=True,
            ),
            export_name(f"{path}/key", each["key"]),
        ),
    )


def scale_element(data: Any, path: str, each: dict[str, Any], one: dict[str, Any]) -> Element:
    fields = [
        Field(
            f"{path}/kind",
            gettext("Answers are"),
            each["kind"],
            "choice",
            choices=translated_choices(SCALES),
            shapes=True,
        ),
        Field(
            f"{path}/level",
            gettext("They are"),
            each["level"] or "",
            "choice",
            choices=translated_choices(LEVELS),
        ),
    ]
    if each["kind"] == "range":
        fields += [
            Field(f"{path}/min", gettext("From"), each["min"], "number"),
            Field(f"{path}/max", gettext("To"), each["max"], "number"),
            Field(f"{path}/step", gettext("In steps of"), each["step"], "number"),
            Field(f"{path}/low_label", gettext("The lowest is called"), each["low_label"]),
            Field(f"{path}/high_label", gettext("The highest is called"), each["high_label"]),
        ]
    if each["kind"] == "text":
        fields.append(
            Field(
                f"{path}/max_length",
                gettext("At most"),
                each["max_length"],
                "number",
                unit="characters",
            )
        )
    fields.append(
        Field(f"{path}/key", gettext("Name of this way to answer"), each["key"], shapes=True)
    )
    lists: tuple[ElementList, ...] = ()
    if each["kind"] == "options":
        lists = (
            listing(
                data,
                f"{path}/options",
                gettext("Answers"),
                "answer",
                lambda where, option: _option(where, option, one["item_kind"]),
                dense=True,
            ),
        )
    return Element(path, _scale_words(each), tuple(fields), lists)


def _option(path: str, each: dict[str, Any], kind: str) -> Element:
    slots = item_kind(kind).slots if kind in KINDS else ()
    fields = [
        Field(f"{path}/label", gettext("Answer"), each["label"]),
        Field(
            f"{path}/role",
            gettext("It says"),
            each["role"],
            "choice",
            choices=translated_choices(ROLES),
            shapes=True,
        ),
    ]
    if each["role"] == "slot":
        places = [("", "–"), *((s.name, s.label) for s in slots)]
        fields += [
            Field(
                f"{path}/slot",
                gettext("Which"),
                each["slot"] or "",
                "choice",
                choices=_known(places, each["slot"] or ""),
            ),
            Field(
                f"{path}/polarity",
                gettext("As"),
                each["polarity"] or "",
                "choice",
                choices=translated_choices(POLARITIES[:3]),
            ),
        ]
    if each["role"] == "label":
        fields.append(
            Field(
                f"{path}/polarity",
                gettext("As"),
                each["polarity"] or "",
                "choice",
                choices=translated_choices((POLARITIES[0], POLARITIES[3])),
            )
        )
    if each["role"] in ("slot", "score", "label"):
        fields.append(Field(f"{path}/score", gettext("Score"), each["score"], "number"))
    fields.append(Field(f"{path}/code", gettext("Stored as"), each["code"], shapes=True))
    return Element(path, each["label"], tuple(fields))
