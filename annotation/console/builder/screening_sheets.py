"""What of the questions before the work is edited where. Only reads."""

from typing import Any

from django.utils.translation import gettext

from annotation.studies.drafts.schema import Document, plain
from annotation.studies.drafts.sheets import Element, Field, Group, listing


def screening_groups(document: Document) -> list[Group]:
    data = plain(document)
    said = data["screening"]
    questions = listing(
        data,
        "screening/questions",
        gettext("Questions"),
        "question",
        lambda at, one: _question(data, at, one),
    )
    fields: tuple[Field, ...] = ()
    if said["questions"]:
        fields = (
            Field(
                "screening/pass_mark",
                gettext("Right answers to pass"),
                said["pass_mark"],
                "number",
                unit=f"of {len(said['questions'])}",
            ),
            Field(
                "screening/attempts",
                gettext("Attempts"),
                str(said["attempts"]),
                "choice",
                choices=(
                    ("1", gettext("1: screener")),
                    ("2", gettext("2: comprehension check")),
                ),
                help=gettext(
                    "A comprehension check shows the instructions before each attempt. Prolific "
                    "requires two attempts for it."
                ),
            ),
            Field(
                "screening/reward",
                gettext("For those who do not pass"),
                said["reward"],
                "number",
                unit=data["recruitment"]["currency"],
                help=gettext(
                    "What they get for answering. On Prolific, the reward of a screening."
                ),
            ),
            Field(
                "screening/introduction",
                gettext("Before the questions"),
                said["introduction"],
                "markdown",
                wide=True,
            ),
            Field(
                "screening/told",
                gettext("What those read who do not pass"),
                said["told"],
                "markdown",
                wide=True,
                help=gettext("Before our own kind words."),
            ),
            Field(
                "screening/gives",
                gettext("Qualification for those who pass"),
                said["gives"],
                help=gettext("A name that your later studies can require."),
            ),
        )
    needed = Field(
        "screening/requires",
        gettext("Qualification that people need"),
        said["requires"],
        help=gettext(
            "The name that a screening gave to those who passed it, or that you gave to people by "
            "hand. Who does not have it is told so kindly. Left empty, everybody may come."
        ),
    )
    return [
        Group(
            "forms",
            gettext("Screening"),
            (needed, *fields),
            (questions,),
            help=gettext(
                "Quiz shown after consent. Participants who score below the pass mark in all "
                "attempts can't continue. Right answers are never shown."
            ),
        )
    ]


def _question(data: Any, at: str, one: dict[str, Any]) -> Element:
    codes = [(each["code"], each["label"] or each["code"]) for each in one["options"]]
    known = dict(codes)
    choices = codes if one["right"] in known else [(one["right"], "–"), *codes]
    fields = (
        Field(f"{at}/label", gettext("Question"), one["label"], wide=True),
        Field(f"{at}/right", gettext("Right is"), one["right"], "choice", choices=tuple(choices)),
        Field(f"{at}/key", gettext("Name"), one["key"], shapes=True),
    )
    options = listing(data, f"{at}/options", gettext("Answers"), "answer", _answer, dense=True)
    return Element(at, one["label"] or "New question", fields, (options,))


def _answer(at: str, one: dict[str, Any]) -> Element:
    return Element(
        at,
        one["label"],
        (
            Field(f"{at}/label", gettext("Answer"), one["label"], shapes=True),
            Field(f"{at}/code", gettext("Stored as"), one["code"], shapes=True),
        ),
    )
