"""Recruitment in the document of a study: platform, pay and codes. Pure: no Django."""

from decimal import Decimal
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from annotation.studies.drafts.setting import Setting
from annotation.texts.sentences import marked

if TYPE_CHECKING:
    from annotation.studies.drafts.schema import Document


def _most_tasks(document: "Document") -> str:
    if document.kind == "writing" and document.onboarding.topics:
        return marked("Onboarding texts don't count towards this limit.")
    return marked("Maximum per participant.")


def _completion_code(document: "Document") -> str:
    if document.recruitment.platform == "link":
        return marked("Default: one per submission.")
    if document.recruitment.platform == "prolific":
        return marked("Default: generated. All participants get the same code.")
    return marked("Default: one per submission.")


def on_prolific(document: "Document") -> bool:
    return document.recruitment.platform == "prolific"


arrival = partial(Setting, form="arrival")
payment = partial(Setting, form="pay")


class Recruitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Platform, pay and codes.

    `hourly_wage` is the target; `budget` includes fees, null is no limit.
    """

    platform: Annotated[
        Literal["link", "prolific", "upwork", "invitation"],
        arrival(
            title=marked("Platform"),
            help=marked("The consent text adapts to the platform."),
            choices=(
                ("link", marked("Plain link")),
                ("prolific", marked("Prolific")),
                ("upwork", marked("Upwork: personal links")),
                ("invitation", marked("Invitation: personal links")),
            ),
            reshapes=True,
            column="recruitment",
        ),
    ] = "link"
    pay: Annotated[Decimal, payment(title=marked("Pay per task"), column="pay")] = Decimal(0)
    currency: Annotated[
        str,
        payment(
            title=marked("Currency"),
            help=marked("Use three letters, such as USD."),
            folds=True,
            column="currency",
            if_blank=marked("Enter a currency."),
        ),
    ] = "USD"
    hourly_wage: Annotated[
        Decimal,
        payment(
            title=marked("Target wage"),
            help=marked("You get a warning if pay is lower."),
            unit=marked("an hour"),
            reshapes=True,
            column="hourly_wage",
        ),
    ] = Decimal(12)
    budget: Annotated[
        Decimal | None,
        payment(
            title=marked("Budget"),
            help=marked("Includes fees. Default: no limit."),
            blank=marked("No limit"),
            column="budget",
        ),
    ] = None
    tasks_per_worker: Annotated[
        int,
        arrival(
            title=marked("Tasks per participant"),
            help=_most_tasks,
            column="tasks_per_worker",
            minimum=1,
            if_outside=marked("Enter at least 1."),
        ),
    ] = 1
    completion_code: Annotated[
        str,
        arrival(
            title=marked("Completion code"),
            help=_completion_code,
            blank=marked("Generated"),
            folds=lambda document: document.recruitment.platform == "link",
            column="completion_code",
            copied=False,
        ),
    ] = ""
    no_consent_code: Annotated[
        str,
        arrival(
            title=marked("Code for no consent"),
            help=marked("Used on Prolific. Default: generated."),
            shown=lambda document: on_prolific(document) or document.recruitment.no_consent_code,
            column="no_consent_code",
            copied=False,
        ),
    ] = ""
    signed_links: Annotated[
        bool,
        arrival(
            title=marked("Require links signed by Prolific"),
            help=marked("Prolific's “secure external study link”."),
            shown=lambda document: on_prolific(document) or document.recruitment.signed_links,
            column="signed_links",
        ),
    ] = False
    late_work: Annotated[
        Literal["if_free", "add_place"],
        arrival(
            title=marked("Late submissions"),
            choices=(
                (
                    "if_free",
                    marked("Count if the place is free, otherwise flag"),
                ),
                ("add_place", marked("Always count, adding a place if none is free")),
            ),
            folds=True,
            column="late_work",
        ),
    ] = "if_free"

    @property
    def has_fees(self) -> bool:
        """Return the same as `Study.has_fees`."""
        return self.platform in ("prolific", "upwork")
