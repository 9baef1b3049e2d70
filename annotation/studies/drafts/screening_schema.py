"""The screening of a study: questions before the work, and qualifications. Pure: no Django."""

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated

import msgspec

from annotation.studies.drafts.setting import Setting
from annotation.texts.sentences import marked

if TYPE_CHECKING:
    from annotation.studies.drafts.schema import Document

MAX_QUALIFICATION_LENGTH = 80  # characters of the name of a qualification


def _asks(document: "Document") -> bool:
    return bool(document.screening.questions)


quiz = partial(Setting, form="screening", shown=_asks)


earlier = partial(Setting, form="screening", folds=True)


def names_in(studies: str) -> list[str]:
    """Return the slugs in a text that separates them by commas."""
    return [name for part in studies.split(",") if (name := part.strip())]


class ScreeningAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Setting(title=marked("Stored as"), order=1, reshapes=True)]
    label: Annotated[str, Setting(title=marked("Answer"), reshapes=True)]


class ScreeningQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`right` is the code of the right answer."""

    key: Annotated[str, Setting(title=marked("Name"), order=3, reshapes=True)]
    label: Annotated[str, Setting(title=marked("Question"), order=1, wide=True)]
    options: list[ScreeningAnswer] = []
    right: Annotated[str, Setting(title=marked("Correct answer"), order=2, widget="choice")] = ""


class Screening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Screening questions; `pass_mark` of them must be right in one of the `attempts`.

    `told` and `reward` are for people who fail. `gives`, `requires` and `excludes` are names of
    qualifications; `required_studies` and `excluded_studies` are slugs with commas (`names_in`).
    """

    introduction: Annotated[
        str, quiz(title=marked("Text before the questions"), order=4, widget="markdown", wide=True)
    ] = ""
    questions: list[ScreeningQuestion] = []
    pass_mark: Annotated[
        int,
        quiz(
            title=marked("Pass mark (correct answers)"),
            unit=lambda document: f"of {len(document.screening.questions)}",
            order=1,
        ),
    ] = 0
    attempts: Annotated[
        int,
        quiz(
            title=marked("Attempts"),
            help=marked("A comprehension check shows the instructions each time."),
            order=2,
            choices=(("1", marked("1: screener")), ("2", marked("2: comprehension check"))),
            minimum=1,
            maximum=2,
            if_outside=marked("Enter 1 or 2 attempts."),
        ),
    ] = 1
    told: Annotated[
        str,
        quiz(
            title=marked("Text for participants who don't pass"),
            help=marked("Shown before our standard text."),
            order=5,
            widget="markdown",
            wide=True,
        ),
    ] = ""
    reward: Annotated[
        Decimal,
        quiz(
            title=marked("Pay if screened out"),
            help=marked("Prolific's screen-out reward."),
            unit=lambda document: document.recruitment.currency,
            order=3,
            minimum=0,
            if_outside=marked("Enter 0 or more."),
        ),
    ] = Decimal(0)
    gives: Annotated[
        str,
        quiz(
            title=marked("Qualification granted on passing"),
            help=marked("Later studies can require it."),
            order=6,
            max_length=MAX_QUALIFICATION_LENGTH,
            if_outside=marked("Enter at most {name_length} characters."),
        ),
    ] = ""
    requires: Annotated[
        str,
        Setting(
            title=marked("Required qualification"),
            help=marked("Earned in a screening or granted by you. Default: none required."),
            blank=marked("None"),
            form="screening",
            max_length=MAX_QUALIFICATION_LENGTH,
            if_outside=marked("Enter at most {name_length} characters."),
        ),
    ] = ""
    excludes: Annotated[
        str,
        Setting(
            title=marked("Excluded qualification"),
            help=marked("Participants with this qualification can't take part."),
            blank=marked("None"),
            form="screening",
            folds=True,
            max_length=MAX_QUALIFICATION_LENGTH,
            if_outside=marked("Enter at most {name_length} characters."),
        ),
    ] = ""
    required_studies: Annotated[
        str,
        earlier(
            title=marked("Required studies"),
            help=marked(
                "Participants must have done all of these. Separate link names with commas."
            ),
        ),
    ] = ""
    excluded_studies: Annotated[
        str,
        earlier(
            title=marked("Excluded studies"),
            help=marked("Separate link names with commas."),
        ),
    ] = ""
