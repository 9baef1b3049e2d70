"""What the editor shows of a document: sections, groups, fields and lists, as plain data.

Each kind of study says it of its instruments (`StudyKind.groups`); what is of every study stands
in `study_groups`. Only reads.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from annotation.drafts import paths
from annotation.drafts.schema import Document
from annotation.models import Corpus, Study

Choice = tuple[str, str]


@dataclass(frozen=True)
class Field:
    """`control` is how it is edited: line, text, markdown, number, choice or yes."""

    path: str
    label: str
    value: Any
    control: str = "line"
    help: str = ""
    unit: str = ""
    choices: tuple[Choice, ...] = ()
    wide: bool = False
    # Whether the page is laid out otherwise once it has another value.
    shapes: bool = False
    fault: str = ""
    theirs: str | None = None


@dataclass(frozen=True)
class Element:
    """One of a list: it can be moved and removed."""

    path: str
    title: str
    fields: tuple[Field, ...]
    lists: tuple["Listing", ...] = ()
    is_open: bool = False


@dataclass(frozen=True)
class Listing:
    """`noun` is what one of its elements is called; one without `adds` cannot get longer."""

    path: str
    title: str
    noun: str
    elements: tuple[Element, ...]
    help: str = ""
    adds: bool = True
    dense: bool = False
    fault: str = ""


@dataclass(frozen=True)
class Group:
    section: str
    title: str
    fields: tuple[Field, ...] = ()
    lists: tuple[Listing, ...] = ()
    help: str = ""
    path: str = ""  # of an instrument that can be removed


@dataclass(frozen=True)
class Section:
    key: str
    title: str
    says: str
    groups: tuple[Group, ...] = field(default=())


SECTIONS = (
    Section("texts", "Texts and questions", "What people see, and what they are asked about it."),
    Section("instructions", "Instructions and consent", "What people read before they begin."),
    Section("forms", "Forms and screening", "What people tell about themselves and their work."),
    Section("design", "Design", "How many tasks there are, and how they are put together."),
    Section("recruitment", "Recruitment and pay", "How people come, and what they get."),
    Section("quality", "Quality", "How long work takes, and what is looked at twice."),
)
LANGUAGES = tuple((str(code), str(name)) for code, name in Study.Language.choices)
LATE_WORK = (
    ("if_free", "Counts while its place is free, and is kept and marked otherwise"),
    ("add_place", "Always counts: a place is added where none is free"),
)
PLATFORMS = (
    ("link", "Plain link"),
    ("prolific", "Prolific"),
    ("upwork", "Upwork, by personal links"),
    ("invitation", "By invitation: personal links"),
)


def sections_of(
    document: Document, groups: Iterable[Group], *, corpora: Iterable[Corpus]
) -> list[Section]:
    """All sections with what is edited there: of the study, then of its instruments. `corpora`
    are those to choose from."""
    found = [*study_groups(document, corpora), *groups]
    return [
        Section(s.key, s.title, s.says, tuple(g for g in found if g.section == s.key))
        for s in SECTIONS
    ]


def study_groups(document: Document, corpora: Iterable[Corpus]) -> list[Group]:
    hired = document.recruitment
    to_choose = dict(sorted((each.slug, each.name) for each in corpora))
    to_choose.setdefault(document.corpus, document.corpus or "Choose a corpus")
    return [
        Group(
            "texts",
            "The study",
            (
                Field(
                    "title",
                    "Title",
                    document.title,
                    help="People read it above every page.",
                    shapes=not document.title,
                ),
                Field(
                    "slug",
                    "Name in addresses",
                    document.slug,
                    help="Lower case letters, digits and hyphens. It stands in the link that "
                    "workers get.",
                ),
                Field(
                    "corpus",
                    "Corpus",
                    document.corpus,
                    "choice",
                    choices=tuple(to_choose.items()),
                ),
                Field(
                    "language",
                    "Language",
                    document.language,
                    "choice",
                    help="Of the pages that workers see. What a method says comes along; what "
                    "you wrote yourself stays.",
                    choices=LANGUAGES,
                    shapes=True,
                ),
            ),
        ),
        Group(
            "instructions",
            "Who runs the study",
            (
                Field(
                    "contact",
                    "Name, institution and address",
                    document.contact,
                    wide=True,
                    help="It takes the place of “[Researcher: …]” in the consent text.",
                ),
            ),
        ),
        Group(
            "design",
            "Topics and chance",
            (
                Field(
                    "design/topics",
                    "Topics",
                    document.design.topics,
                    "number",
                    help="How many are drawn; left empty, all of them.",
                ),
                Field(
                    "design/seed",
                    "Seed",
                    document.design.seed,
                    "number",
                    help="The same seed draws everything again as it was.",
                ),
            ),
        ),
        Group(
            "recruitment",
            "Where people come from",
            (
                Field(
                    "recruitment/platform", "Platform", hired.platform, "choice", choices=PLATFORMS
                ),
                Field(
                    "recruitment/tasks_per_worker",
                    "Tasks for one person",
                    hired.tasks_per_worker,
                    "number",
                    help="The most that one person may do. Onboarding does not count.",
                ),
                Field(
                    "recruitment/completion_code",
                    "Completion code",
                    hired.completion_code,
                    help="The same for everybody. Left empty, one is drawn for Prolific; by a "
                    "plain link each piece of work has its own.",
                ),
                Field(
                    "recruitment/no_consent_code",
                    "Code of those who do not agree",
                    hired.no_consent_code,
                    help="For Prolific. Left empty, one is drawn.",
                ),
                Field(
                    "recruitment/signed_links",
                    "Only by links that Prolific signed",
                    hired.signed_links,
                    "yes",
                    help="Then nobody gets in who only knows a participant’s id. Some workspaces "
                    "can do that: in Prolific it is the secure external study link.",
                ),
                Field(
                    "recruitment/late_work",
                    "Work that comes after its time",
                    hired.late_work,
                    "choice",
                    choices=LATE_WORK,
                ),
            ),
        ),
        Group(
            "recruitment",
            "Pay",
            (
                Field("recruitment/pay", "Pay for one task", hired.pay, "number"),
                Field("recruitment/currency", "Currency", hired.currency, help="Three letters."),
                Field(
                    "recruitment/hourly_wage",
                    "Target wage",
                    hired.hourly_wage,
                    "number",
                    unit="an hour",
                    help="You are warned where the study pays less.",
                ),
            ),
        ),
        Group(
            "quality",
            "Time limit",
            (
                Field(
                    "quality/time_limit_minutes",
                    "Time limit",
                    document.quality.time_limit_minutes,
                    "number",
                    unit="minutes",
                    help="Who needs longer loses the place, if somebody else takes it.",
                ),
            ),
        ),
    ]


def listing(
    document: Any,
    path: str,
    title: str,
    noun: str,
    of: Callable[[str, Any], Element],
    **more: Any,
) -> Listing:
    """A list of the document, each element with the fields that `of` makes of its path and data."""
    elements = paths.at(document, path)
    made = tuple(
        of(f"{path}/{paths.joined(name)}", each)
        for name, each in zip(paths.names(elements), elements, strict=True)
    )
    return Listing(path, title, noun, made, **more)


def form_listing(document: Any, path: str, title: str) -> Listing:
    """The fields of an entry or exit form."""
    return listing(document, path, title, "field", lambda at, one: _form_field(document, at, one))


KINDS_OF_FIELDS = (
    ("choice", "one of a list"),
    ("scale", "one of an ordered list"),
    ("text", "a text"),
)


def _form_field(document: Any, at: str, one: dict[str, Any]) -> Element:
    fields = (
        Field(f"{at}/label", "Question", one["label"], wide=True),
        Field(
            f"{at}/kind", "Answered by", one["kind"], "choice", choices=KINDS_OF_FIELDS, shapes=True
        ),
        Field(f"{at}/required", "It must be answered", one["required"], "yes"),
        Field(f"{at}/key", "Name in exports", one["key"], shapes=True),
    )
    options = listing(document, f"{at}/options", "Answers", "answer", _form_option, dense=True)
    return Element(at, one["label"], fields, (options,) if one["kind"] != "text" else ())


def _form_option(at: str, one: dict[str, Any]) -> Element:
    return Element(
        at,
        one["label"],
        (
            Field(f"{at}/label", "Answer", one["label"]),
            Field(f"{at}/code", "Stored as", one["code"], shapes=True),
        ),
    )
