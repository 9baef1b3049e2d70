"""The document of a study: everything that its researcher decides before the launch.

Stored and sent as JSON with every key. The kind of study defines the instruments (`kinds`). Pure:
no Django.
"""

import math
import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from annotation.studies.drafts.setting import Setting, settings_in
from annotation.texts.sentences import Sentence, marked

FORMAT: Literal["crowdwright-study-1"] = "crowdwright-study-1"
_NOT_KEPT = re.compile("[\x00\ud800-\udfff]")  # NUL, and half of a pair
T = TypeVar("T")
# Numbers of a document: whatever is made of a few of them is finite, and a seed is kept.
LARGEST = 2**63 - 1
MAX_TITLE_LENGTH = 400  # characters
MAX_TEXT_LENGTH = 50_000  # characters of any other text
MAX_QUALIFICATION_LENGTH = 80  # characters of the name of a qualification
MAX_BYTES = 4_000_000  # of a whole document
SMALLEST = Decimal("1e-9")  # that is not 0


class BadDocument(ValueError):
    """No document is like this; the message says where and why."""


class BadBank(BadDocument):
    """A file of many lines that a kind of study reads, and here cannot: no other kind has to."""


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


def _asks(document: "Document") -> bool:
    return bool(document.screening.questions)


arrival = partial(Setting, form="arrival")
payment = partial(Setting, form="pay")
quiz = partial(Setting, form="screening", shown=_asks)


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


class ScreeningAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    code: Annotated[str, Setting(title=marked("Stored as"), order=1, reshapes=True)]
    label: Annotated[str, Setting(title=marked("Answer"), reshapes=True)]


class ScreeningQuestion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`right` is the code of the right answer."""

    key: Annotated[str, Setting(title=marked("Name"), order=3, reshapes=True)]
    label: Annotated[str, Setting(title=marked("Question"), order=1, wide=True)]
    options: list[ScreeningAnswer] = []
    right: Annotated[str, Setting(title=marked("Right is"), order=2, widget="choice")] = ""


class Screening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Questions before the work, of which `pass_mark` must be right in one of the `attempts`.

    `told` and `reward` are for people who fail. `gives` and `requires` are names of qualifications.
    """

    introduction: Annotated[
        str, quiz(title=marked("Before the questions"), order=4, widget="markdown", wide=True)
    ] = ""
    questions: list[ScreeningQuestion] = []
    pass_mark: Annotated[
        int,
        quiz(
            title=marked("Right answers to pass"),
            unit=lambda document: f"of {len(document.screening.questions)}",
            order=1,
        ),
    ] = 0
    attempts: Annotated[
        int,
        quiz(
            title=marked("Attempts"),
            help=marked(
                "A comprehension check shows the instructions before each attempt. Prolific "
                "requires two attempts for it."
            ),
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
            title=marked("What those read who do not pass"),
            help=marked("Before our own kind words."),
            order=5,
            widget="markdown",
            wide=True,
        ),
    ] = ""
    reward: Annotated[
        Decimal,
        quiz(
            title=marked("For those who do not pass"),
            help=marked("What they get for answering. On Prolific, the reward of a screening."),
            unit=lambda document: document.recruitment.currency,
            order=3,
            minimum=0,
            if_outside=marked("It cannot be negative."),
        ),
    ] = Decimal(0)
    gives: Annotated[
        str,
        quiz(
            title=marked("Qualification for those who pass"),
            help=marked("A name that your later studies can require."),
            order=6,
            max_length=MAX_QUALIFICATION_LENGTH,
            if_outside=marked("It has more than {name_length} characters."),
        ),
    ] = ""
    requires: Annotated[
        str,
        Setting(
            title=marked("Qualification that people need"),
            help=marked(
                "The name that a screening gave to those who passed it, or that you gave to people "
                "by hand. Who does not have it is told so kindly. Left empty, everybody may come."
            ),
            form="screening",
            max_length=MAX_QUALIFICATION_LENGTH,
            if_outside=marked("It has more than {name_length} characters."),
        ),
    ] = ""


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
    instruments: list[dict[str, Any]] = []
    design: Design = Design()
    onboarding: Onboarding = Onboarding()
    recruitment: Recruitment = Recruitment()
    quality: Quality = Quality()
    screening: Annotated[Screening, Setting(column="screening")] = Screening()
    retention: Retention = Retention()


SETTINGS = {setting.path: setting for setting in settings_in(Document)}


def typed(data: Any, as_type: type[T], *, where: str = "") -> T:
    """Return plain data as one of our types. Raises BadDocument."""
    try:
        return msgspec.convert(data, as_type)
    except msgspec.ValidationError as error:
        raise BadDocument(f"{where}{error}") from error


def plain(value: Any) -> Any:
    """Return JSON data with every key. Raises BadDocument for values that cannot be stored."""
    kind = type(value)
    if value is None or kind is bool or kind is int:  # most of what there is, with texts
        return value
    if kind is str and _keepable(value):
        return value
    if isinstance(value, msgspec.Struct):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    if isinstance(value, dict):
        return {str(plain(key)): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Decimal | date):
        value = str(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise BadDocument(Sentence("A number is not finite."))
    if isinstance(value, str) and not _keepable(value):
        raise BadDocument(
            Sentence("A text has a character that cannot be kept (NUL, or half of one).")
        )
    return value


def require_short(value: Any, *, path: str = "") -> None:
    """Refuse plain data that has a text too long for a document. Raises BadDocument."""
    limit = MAX_TITLE_LENGTH if path == "title" else MAX_TEXT_LENGTH
    if isinstance(value, str) and len(value) > limit:
        raise BadDocument(
            Sentence(
                "This text has {length} characters. Use at most {limit}.",
                length=f"{len(value):,}",
                limit=f"{limit:,}",
            )
        )
    if isinstance(value, dict):
        for name, part in value.items():
            require_short(name)
            require_short(part, path=name if not path else f"{path}/{name}")
    if isinstance(value, list):
        for part in value:
            require_short(part, path=f"{path}/")


def require_small(document: Any) -> None:
    """Refuse a document in plain data that is too large to work with. Raises BadDocument."""
    if len(msgspec.json.encode(document)) > MAX_BYTES:
        raise BadDocument(
            Sentence(
                "A study may have {limit} MB at most, with all its texts.",
                limit=MAX_BYTES // 1_000_000,
            )
        )


def odd_numbers(value: Any) -> Iterator[Decimal]:
    """Yield the numbers that nothing can be computed with; older drafts may have some."""
    if isinstance(value, msgspec.Struct):
        value = [getattr(value, name) for name in value.__struct_fields__]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for each in value:
            yield from odd_numbers(each)
    elif isinstance(value, int | float | Decimal):
        exact = Decimal(value)  # of some whole numbers no float can be made
        size = exact.copy_abs()
        if not exact.is_finite() or size > LARGEST or 0 < size < SMALLEST:
            yield exact


def _keepable(text: str) -> bool:
    return _NOT_KEPT.search(text) is None
