"""The document of a study: everything that its researcher decides before the launch.

Stored and sent as JSON with every key. The kind of study defines the instruments (`kinds`). Pure:
no Django.
"""

from datetime import date
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal

import msgspec

from annotation.studies.drafts.plain_data import MAX_TITLE_LENGTH
from annotation.studies.drafts.screening_schema import Screening
from annotation.studies.drafts.setting import Setting, settings_in
from annotation.texts.sentences import marked

FORMAT: Literal["crowdwright-study-1"] = "crowdwright-study-1"


def _most_tasks(document: "Document") -> str:
    if document.kind == "writing" and document.onboarding.topics:
        return marked("The most that one person may do, besides the texts of the onboarding.")
    return marked("The most that one person may do.")


def _completion_code(document: "Document") -> str:
    if document.recruitment.platform == "link":
        return marked("Left empty, each piece of work has its own, which you can look up.")
    if document.recruitment.platform == "prolific":
        return marked("The same for everybody. Left empty, one is drawn.")
    return marked("The same for everybody. Left empty, each piece of work has its own.")


def _ids_until(document: "Document") -> str:
    if document.recruitment.platform == "link":
        return marked("Keep browser ids until")
    if document.recruitment.platform == "invitation":
        return marked("Keep ids of those who are invited until")
    return marked("Keep platform ids until")


def _on_prolific(document: "Document") -> bool:
    return document.recruitment.platform == "prolific"


arrival = partial(Setting, form="arrival")
payment = partial(Setting, form="pay")


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The selection of topics and systems; null is all of the corpus.

    `chosen_topics` and `systems` are keys. `topics` is the number drawn. `one_page`: instruments
    share a page for the same item.
    """

    topics: Annotated[
        int | None,
        Setting(
            title=marked("How many are drawn"),
            form="topics",
            shown=lambda document: document.design.topics is not None,
            reshapes=True,  # which these are stands below
        ),
    ] = None
    seed: Annotated[
        int,
        Setting(
            title=marked("Seed"),
            help=marked("The same seed draws everything again as it was."),
            form="topics",
            folds=lambda document: document.design.topics is None,
            reshapes=lambda document: document.design.topics is not None,
            column="seed",
        ),
    ] = 1
    one_page: Annotated[
        bool,
        Setting(
            title=marked("Ask on one page what methods ask of the same texts"),
            help=marked(
                "Otherwise each method has a page of its own, one after the other. Methods ask of "
                "the same texts where their questionnaires are made alike."
            ),
            form="methods",
            column="presentation",
        ),
    ] = False
    question_order: Annotated[
        Literal["fixed", "drawn"],
        Setting(
            title=marked("Order of questions"),
            help=marked("A drawn order is the same on all pages of a participant, and exported."),
            choices=(
                ("fixed", marked("as the method has them")),
                ("drawn", marked("drawn for each participant")),
            ),
            form="page",
            column="question_order",
        ),
    ] = "fixed"
    background: Annotated[
        Literal["folded", "pinned"],
        Setting(
            title=marked("Background of a topic"),
            help=marked("Its description in the corpus."),
            choices=(
                ("folded", marked("folded below the search question")),
                ("pinned", marked("pinned beside the texts")),
            ),
            form="page",
            column="background",
        ),
    ] = "folded"
    systems: list[str] | None = None
    chosen_topics: list[str] | None = None


class Onboarding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """First tasks of new workers in a writing study; `accepted` null is all."""

    topics: Annotated[
        int,
        Setting(
            title=marked("Topics for newcomers"),
            help=marked("Newcomers write about them first; 0 for none."),
            form="onboarding",
            reshapes=True,
        ),
    ] = 0
    writers: Annotated[
        int,
        Setting(
            title=marked("Newcomers who can try"),
            form="onboarding",
            shown=lambda document: document.onboarding.topics,
        ),
    ] = 10
    accepted: Annotated[
        int | None,
        Setting(
            title=marked("Texts to be accepted"),
            help=marked("Left empty, all."),
            form="onboarding",
            shown=lambda document: (
                document.onboarding.topics or document.onboarding.accepted is not None
            ),
        ),
    ] = None


class Recruitment(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Platform, pay and codes.

    `hourly_wage` is the target; `budget` includes fees, null is no limit.
    """

    platform: Annotated[
        Literal["link", "prolific", "upwork", "invitation"],
        arrival(
            title=marked("Platform"),
            help=marked("What the consent text says of ids and of payment follows it."),
            choices=(
                ("link", marked("Plain link")),
                ("prolific", marked("Prolific")),
                ("upwork", marked("Upwork, by personal links")),
                ("invitation", marked("By invitation: personal links")),
            ),
            reshapes=True,
            column="recruitment",
        ),
    ] = "link"
    pay: Annotated[Decimal, payment(title=marked("Pay for one task"), column="pay")] = Decimal(0)
    currency: Annotated[
        str,
        payment(
            title=marked("Currency"),
            help=marked("Three letters."),
            folds=True,
            column="currency",
            if_blank=marked("Say in which currency people are paid."),
        ),
    ] = "USD"
    hourly_wage: Annotated[
        Decimal,
        payment(
            title=marked("Target wage"),
            help=marked("You are warned where the study pays less."),
            unit=marked("an hour"),
            reshapes=True,
            column="hourly_wage",
        ),
    ] = Decimal(12)
    budget: Annotated[
        Decimal | None,
        payment(
            title=marked("Budget"),
            help=marked(
                "What the study may cost with fees: recruiting pauses before it costs more. Left "
                "empty, there is no limit."
            ),
            column="budget",
        ),
    ] = None
    tasks_per_worker: Annotated[
        int,
        arrival(
            title=marked("Tasks for one person"),
            help=_most_tasks,
            column="tasks_per_worker",
            minimum=1,
            if_outside=marked("It must be at least 1."),
        ),
    ] = 1
    completion_code: Annotated[
        str,
        arrival(
            title=marked("Completion code"),
            help=_completion_code,
            folds=lambda document: document.recruitment.platform == "link",
            column="completion_code",
            copied=False,
        ),
    ] = ""
    no_consent_code: Annotated[
        str,
        arrival(
            title=marked("Code of those who do not agree"),
            help=marked("For Prolific. Left empty, one is drawn."),
            shown=lambda document: _on_prolific(document) or document.recruitment.no_consent_code,
            column="no_consent_code",
            copied=False,
        ),
    ] = ""
    signed_links: Annotated[
        bool,
        arrival(
            title=marked("Only by links that Prolific signed"),
            help=marked(
                "Then nobody gets in who only knows a participant’s id. Some workspaces can do "
                "that: in Prolific it is the secure external study link."
            ),
            shown=lambda document: _on_prolific(document) or document.recruitment.signed_links,
            column="signed_links",
        ),
    ] = False
    late_work: Annotated[
        Literal["if_free", "add_place"],
        arrival(
            title=marked("Work that comes after its time"),
            choices=(
                (
                    "if_free",
                    marked("Counts if its place is still free; else it is kept, and marked"),
                ),
                ("add_place", marked("Always counts: a place is added where none is free")),
            ),
            folds=True,
            column="late_work",
        ),
    ] = "if_free"

    @property
    def has_fees(self) -> bool:
        """As `Study.has_fees`."""
        return self.platform in ("prolific", "upwork")


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Consequence of a failed check, decided by a person unless it is `automatic`.

    `least`: failed attention or gold items that it takes.
    """

    act: Annotated[
        Literal["review", "reject", "pay_anyway"],
        Setting(
            title=marked("What becomes of marked work"),
            choices=(
                ("review", marked("show it to a person")),
                ("reject", marked("reject")),
                ("pay_anyway", marked("reject, but pay")),
            ),
            reshapes=True,
            folds=True,
        ),
    ] = "review"
    automatic: Annotated[
        bool,
        Setting(title=marked("by itself"), help=marked("Else a reviewer is told, and decides.")),
    ] = False
    least: Annotated[int, Setting(title=marked("from so many failed on"))] = 1


class Policies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The policy of each check."""

    attention: Annotated[Policy, Setting(title=marked("Attention items failed"))] = Policy()
    gold: Annotated[Policy, Setting(title=marked("Gold items failed"))] = Policy()
    fast: Annotated[Policy, Setting(title=marked("Faster than the least time"))] = Policy()
    same: Annotated[Policy, Setting(title=marked("The same answer nearly everywhere"))] = Policy()
    copied: Annotated[Policy, Setting(title=marked("Comments copied from others"))] = Policy()


class Quality(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time limit and policies of the whole study; instruments have their own checks."""

    time_limit_minutes: Annotated[
        int,
        Setting(
            title=marked("Time limit"),
            help=marked("Who needs longer loses the place, if somebody else takes it."),
            unit="minutes",
            form="time",
            column="time_limit_minutes",
            minimum=1,
            if_outside=marked("It must be at least 1."),
        ),
    ] = 120
    policies: Annotated[
        Policies, Setting(title=marked("What becomes of marked work"), column="policies")
    ] = Policies()


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Last day on which each kind of data is kept; null is unlimited. Only writing has logs."""

    platform_ids_until: Annotated[date | None, Setting(title=_ids_until, form="retention")] = None
    demographics_until: Annotated[
        date | None,
        Setting(
            title=marked("Keep demographic data until"),
            form="retention",
            # Only Prolific tells of people.
            shown=lambda document: _on_prolific(document) or document.retention.demographics_until,
        ),
    ] = None
    logs_until: Annotated[
        date | None,
        Setting(
            title=marked("Keep records of writing until"),
            form="retention",
            shown=lambda document: document.kind == "writing",
        ),
    ] = None


class Document(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A study. `corpus` is its slug; `contact` is shown in the consent text.

    `instruments` are whole instrument files in the order in which workers meet them.
    """

    format: Literal["crowdwright-study-1"] = FORMAT
    kind: Literal["judging", "writing"]
    slug: Annotated[
        str,
        Setting(
            title=marked("Name in the link"),
            help=marked(
                "The link that workers get ends with it. Lower case letters, digits and hyphens."
            ),
            form="study",
            order=2,
            column="slug",
            copied=False,
            if_blank=marked("Give the study a name for its address."),
        ),
    ] = ""
    title: Annotated[
        str,
        Setting(
            title=marked("Title"),
            help=marked(
                "People read it above the pages and in the tab of their browser; on a phone, while "
                "they work, in the tab alone."
            ),
            form="study",
            order=1,
            wide=True,
            reshapes=lambda document: not document.title,
            column="title",
            max_length=MAX_TITLE_LENGTH,
            if_blank=marked("Give the study a title."),
        ),
    ] = ""
    language: Annotated[
        str,
        Setting(
            title=marked("Language"),
            help=marked(
                "Of the pages that workers see. What a method says comes along; what you wrote "
                "yourself stays."
            ),
            form="study",
            order=4,
            widget="choice",
            reshapes=True,
            column="language",
        ),
    ] = "en"
    corpus: Annotated[
        str, Setting(title=marked("Corpus"), form="study", order=3, widget="choice")
    ] = ""
    contact: Annotated[
        str,
        Setting(
            title=marked("Name, institution and address"),
            help=marked(
                "It takes the place of “[Researcher: …]” in the consent text. The approval of an "
                "ethics board can be here, too."
            ),
            form="contact",
            widget="text",
            wide=True,
        ),
    ] = ""
    rendering: Annotated[
        Literal["markdown", "plain", "preformatted"],
        Setting(
            title=marked("Texts are shown as"),
            help=marked("The same for participants, reviewers and in results."),
            choices=(
                ("markdown", marked("Markdown with formulas, as in a chat window")),
                ("plain", marked("Plain paragraphs")),
                ("preformatted", marked("Preformatted, every character as it is")),
            ),
            form="study",
            order=5,
            folds=True,
            column="rendering",
        ),
    ] = "markdown"
    instruments: list[dict[str, Any]] = []
    design: Design = Design()
    onboarding: Onboarding = Onboarding()
    recruitment: Recruitment = Recruitment()
    quality: Quality = Quality()
    screening: Annotated[Screening, Setting(column="screening")] = Screening()
    retention: Retention = Retention()


SETTINGS = {setting.path: setting for setting in settings_in(Document)}
