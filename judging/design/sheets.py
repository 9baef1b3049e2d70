"""What of a judging instrument is edited where. Only reads."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from annotation.builder.screening_sheets import screening_groups
from annotation.builder.sheets import (
    Element,
    Field,
    Group,
    Listing,
    form_listing,
    in_words,
    listing,
)
from annotation.drafts import paths
from annotation.drafts.schema import Document, plain
from judging.design.check_sheets import check_groups, policies, training
from judging.design.designers import DESIGNERS, unfit
from judging.design.sheet_words import (
    ARITIES,
    DESIGNER_NAMES,
    KIND_NAMES,
    LEVELS,
    POLARITIES,
    ROLES,
    SCALES,
)
from judging.items.kinds import KINDS, item_kind


def groups(document: Document) -> Iterator[Group]:
    yield from screening_groups(document)
    data = plain(document)
    for name, one in zip(paths.names(data["instruments"]), data["instruments"], strict=True):
        at = paths.joined("instruments", name)
        yield _texts(data, at, one)
        yield _instructions(at, one)
        yield Group(
            "forms",
            _of(gettext("Exit form"), one, data),
            lists=(form_listing(data, f"{at}/exit_form", gettext("After the last page")),),
        )
        yield training(at, one, data, _of)
        yield _design(at, one, data)
        yield _time(at, one, data)
        yield _quality(at, one, data)
        yield from check_groups(at, one, data, _of)
    yield policies(data)
    if len(document.instruments) > 1:
        yield Group("design", gettext("Several methods"), (_one_page(document),))


def _one_page(document: Document) -> Field:
    return Field(
        "design/one_page",
        gettext("Ask on one page what methods ask of the same texts"),
        document.design.one_page,
        "yes",
        help=gettext(
            "Otherwise each method has a page of its own, one after the other. Methods "
            "ask of the same texts where their questionnaires are made alike."
        ),
    )


def _of(title: str, one: dict[str, Any], data: Any) -> str:
    return f"{title}: {one['title']}" if len(data["instruments"]) > 1 else title


def _texts(data: Any, at: str, one: dict[str, Any]) -> Group:
    asked = [each["criterion"] for each in one["questions"]]
    own = {key for key in asked if asked.count(key) == 1}
    lists = (
        listing(
            data,
            f"{at}/questions",
            gettext("Questions"),
            "question",
            lambda path, each: _question(path, each, at, one, own),
        ),
        listing(
            {**data, "instruments": [_without(each, own) for each in data["instruments"]]},
            f"{at}/criteria",
            gettext("Criteria"),
            "criterion",
            _criterion,
            help=gettext(
                "What several questions are about, or pages show: points, exam questions."
            ),
        ),
        listing(
            data,
            f"{at}/scales",
            gettext("Ways to answer"),
            gettext("way to answer"),
            lambda path, each: _scale(data, path, each, one),
        ),
    )
    fields = (
        Field(f"{at}/title", gettext("Name of the method"), one["title"], wide=True),
        Field(
            f"{at}/item_kind",
            gettext("A page shows"),
            one["item_kind"],
            "choice",
            choices=in_words((name, KIND_NAMES.get(name, name)) for name in KINDS),
            shapes=True,
        ),
        Field(f"{at}/name", gettext("Name in exports"), one["name"], shapes=True),
    )
    return Group("texts", _of(gettext("What is asked"), one, data), fields, lists, path=at)


def _without(one: dict[str, Any], keys: set[str]) -> dict[str, Any]:
    """The instrument without the criteria that are edited with their one question."""
    return {**one, "criteria": [each for each in one["criteria"] if each["key"] not in keys]}


def _question(
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
            f"{path}/arity", gettext("Asked"), each["arity"], "choice", choices=in_words(ARITIES)
        ),
        Field(
            f"{path}/criterion",
            gettext("About the criterion"),
            each["criterion"],
            "choice",
            choices=_known([(c["key"], c["name"]) for c in one["criteria"]], each["criterion"]),
            shapes=True,
        ),
        Field(f"{path}/key", gettext("Name in exports"), each["key"], shapes=True),
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
    """With what is chosen now, if that is none of them."""
    return tuple(choices if value in dict(choices) else [(value, f"{value} (unknown)"), *choices])


def _scale_words(scale: dict[str, Any]) -> str:
    if scale["kind"] == "options":
        return " / ".join(each["label"] or "…" for each in scale["options"]) or scale["key"]
    if scale["kind"] == "range" and scale["min"] is not None and scale["max"] is not None:
        return f"{scale['min']:g} to {scale['max']:g}"
    return "a text" if scale["kind"] == "text" else scale["key"]


def _criterion(path: str, each: dict[str, Any]) -> Element:
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
            Field(f"{path}/key", gettext("Name in exports"), each["key"], shapes=True),
        ),
    )


def _scale(data: Any, path: str, each: dict[str, Any], one: dict[str, Any]) -> Element:
    fields = [
        Field(
            f"{path}/kind",
            gettext("Answers are"),
            each["kind"],
            "choice",
            choices=in_words(SCALES),
            shapes=True,
        ),
        Field(
            f"{path}/level",
            gettext("They are"),
            each["level"] or "",
            "choice",
            choices=in_words(LEVELS),
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
    lists: tuple[Listing, ...] = ()
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
            choices=in_words(ROLES),
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
                choices=in_words(POLARITIES[:3]),
            ),
        ]
    if each["role"] == "label":
        fields.append(
            Field(
                f"{path}/polarity",
                gettext("As"),
                each["polarity"] or "",
                "choice",
                choices=in_words((POLARITIES[0], POLARITIES[3])),
            )
        )
    if each["role"] in ("slot", "score", "label"):
        fields.append(Field(f"{path}/score", gettext("Score"), each["score"], "number"))
    fields.append(Field(f"{path}/code", gettext("Stored as"), each["code"], shapes=True))
    return Element(path, each["label"], tuple(fields))


def _instructions(at: str, one: dict[str, Any]) -> Group:
    return Group(
        "instructions",
        one["title"],
        (
            Field(
                f"{at}/instructions",
                gettext("Instructions"),
                one["instructions"],
                "markdown",
                wide=True,
                help=gettext(
                    "{items}, {minutes} and {pay} become the figures of the worker's own task."
                ),
            ),
            Field(
                f"{at}/consent",
                gettext("Consent"),
                one["consent"],
                "markdown",
                wide=True,
                help=gettext(
                    "What people agree to before they take part. Methods with the same text show "
                    "it once."
                ),
            ),
        ),
    )


def _design(at: str, one: dict[str, Any], data: Any) -> Group:
    said, where = one["defaults"], f"{at}/defaults"
    kind = item_kind(one["item_kind"]) if one["item_kind"] in KINDS else None
    fits = [name for name in DESIGNERS if kind and not unfit(designer=name, kind=kind)]
    fields = [
        Field(
            f"{at}/designer",
            gettext("Pages are made of"),
            one["designer"],
            "choice",
            choices=(
                ("", gettext("as usual for these texts")),
                *in_words((n, DESIGNER_NAMES.get(n, n)) for n in fits),
            ),
            shapes=True,
        ),
        Field(
            f"{where}/items_per_questionnaire",
            gettext("Pages in a questionnaire"),
            said["items_per_questionnaire"],
            "number",
        ),
        Field(f"{where}/quota", gettext("Workers for each questionnaire"), said["quota"], "number"),
    ]
    designer = one["designer"] or (kind.designer if kind else "")
    if designer == "all_pairs":
        fields.append(
            Field(
                f"{where}/reversed_share",
                gettext("Share of pairs asked in reverse, too"),
                said["reversed_share"],
                "number",
                help=gettext("0 for none, 0.3333 for a third, 1 for all."),
            )
        )
    if designer == "blocks":
        fields.append(
            Field(
                f"{where}/rounds",
                gettext("Blocks that each text stands in"),
                said["rounds"],
                "number",
            )
        )
    if kind and any(slot.holds == "passage" for slot in kind.slots):
        fields.append(
            Field(
                f"{where}/depth",
                gettext("Best passages of a topic"),
                said["depth"],
                "number",
                help=gettext("Left empty, all."),
            )
        )
    fields += [
        Field(
            f"{where}/topics_together",
            gettext("A questionnaire has all pages of a topic"),
            said["topics_together"],
            "yes",
        ),
        Field(
            f"{at}/item_order",
            gettext("Order of pages"),
            one["item_order"],
            "choice",
            choices=(
                ("drawn", gettext("drawn for each worker")),
                ("fixed", gettext("as designed")),
            ),
        ),
    ]
    return Group("design", _of(gettext("Questionnaires"), one, data), tuple(fields))


def _time(at: str, one: dict[str, Any], data: Any) -> Group:
    minutes = Field(
        f"{at}/defaults/minutes",
        gettext("Expected time for one task"),
        one["defaults"]["minutes"],
        "number",
        unit="minutes",
    )
    return Group("recruitment", _of(gettext("Time"), one, data), (minutes,))


def _quality(at: str, one: dict[str, Any], data: Any) -> Group:
    fields = (
        Field(
            f"{at}/defaults/minimum_seconds",
            gettext("Least time for a task"),
            one["defaults"]["minimum_seconds"],
            "number",
            unit="seconds",
            help=gettext("Faster work is marked for review, never refused."),
        ),
        Field(
            f"{at}/defaults/minimum_item_seconds",
            gettext("Least time for a page"),
            one["defaults"]["minimum_item_seconds"],
            "number",
            unit="seconds",
            help=gettext("Work is marked where a third of its pages took less. 0 for no limit."),
        ),
    )
    return Group("quality", _of(gettext("Least time"), one, data), fields)
