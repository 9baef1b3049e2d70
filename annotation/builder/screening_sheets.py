"""What of the questions before the work is edited where. Only reads."""

from typing import Any

from annotation.builder.sheets import Element, Field, Group, listing
from annotation.drafts.schema import Document, plain


def screening_groups(document: Document) -> list[Group]:
    data = plain(document)
    said = data["screening"]
    questions = listing(
        data,
        "screening/questions",
        "Questions",
        "question",
        lambda at, one: _question(data, at, one),
    )
    fields: tuple[Field, ...] = ()
    if said["questions"]:
        fields = (
            Field(
                "screening/pass_mark",
                "Right answers to pass",
                said["pass_mark"],
                "number",
                unit=f"of {len(said['questions'])}",
            ),
            Field(
                "screening/reward",
                "For those who do not pass",
                said["reward"],
                "number",
                unit=data["recruitment"]["currency"],
                help="What they get for answering. On Prolific, the reward of a screening.",
            ),
            Field(
                "screening/introduction",
                "Before the questions",
                said["introduction"],
                "markdown",
                wide=True,
            ),
            Field(
                "screening/told",
                "What those read who do not pass",
                said["told"],
                "markdown",
                wide=True,
                help="Before our own kind words.",
            ),
            Field(
                "screening/gives",
                "Qualification for those who pass",
                said["gives"],
                help="A name that your later studies can ask for.",
            ),
        )
    needed = Field(
        "screening/requires",
        "Qualification that people need",
        said["requires"],
        help="Who does not have it is told so kindly. Left empty, everybody may come.",
    )
    return [
        Group(
            "forms",
            "Screening",
            (needed, *fields),
            (questions,),
            help="Questions with right answers, asked once after the consent. Whoever answers too "
            "few rightly ends there and is not asked again. No page has the right answers.",
        )
    ]


def _question(data: Any, at: str, one: dict[str, Any]) -> Element:
    codes = [(each["code"], each["label"] or each["code"]) for each in one["options"]]
    known = dict(codes)
    choices = codes if one["right"] in known else [(one["right"], "–"), *codes]
    fields = (
        Field(f"{at}/label", "Question", one["label"], wide=True),
        Field(f"{at}/right", "Right is", one["right"], "choice", choices=tuple(choices)),
        Field(f"{at}/key", "Name", one["key"], shapes=True),
    )
    options = listing(data, f"{at}/options", "Answers", "answer", _answer, dense=True)
    return Element(at, one["label"] or "New question", fields, (options,))


def _answer(at: str, one: dict[str, Any]) -> Element:
    return Element(
        at,
        one["label"],
        (
            Field(f"{at}/label", "Answer", one["label"], shapes=True),
            Field(f"{at}/code", "Stored as", one["code"], shapes=True),
        ),
    )
