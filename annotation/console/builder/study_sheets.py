"""What the editor shows of every study, whatever its kind: who runs it, its topics, how people
come, what they get, how long data are kept. Only reads.
"""

from collections.abc import Iterable

from django.conf import settings
from django.utils.translation import gettext

from annotation.console.builder.topics import topics_group
from annotation.models import Corpus, Study
from annotation.reach import opens_here_alone
from annotation.studies.drafts.schema import Document, Recruitment
from annotation.studies.drafts.sheets import NOT_FOLDED, SECTIONS, Field, Group, Section, in_words
from annotation.texts.sentences import marked

LANGUAGES = tuple((str(code), str(name)) for code, name in Study.Language.choices)
LATE_WORK = (
    ("if_free", marked("Counts if its place is still free; else it is kept, and marked")),
    ("add_place", marked("Always counts: a place is added where none is free")),
)
PLATFORMS = (
    ("link", marked("Plain link")),
    ("prolific", marked("Prolific")),
    ("upwork", marked("Upwork, by personal links")),
    ("invitation", marked("By invitation: personal links")),
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
    to_choose.setdefault(document.corpus, document.corpus or gettext("Choose a corpus"))
    return [
        Group(
            "texts",
            gettext("The study"),
            (
                Field(
                    "title",
                    gettext("Title"),
                    document.title,
                    wide=True,
                    help=gettext(
                        "People read it above the pages and in the tab of their browser; on a "
                        "phone, while they work, in the tab alone."
                    ),
                    shapes=not document.title,
                ),
                Field(
                    "slug",
                    gettext("Name in the link"),
                    document.slug,
                    help=gettext(
                        "The link that workers get ends with it. Lower case letters, digits and "
                        "hyphens."
                    ),
                ),
                Field(
                    "corpus",
                    gettext("Corpus"),
                    document.corpus,
                    "choice",
                    choices=tuple(to_choose.items()),
                ),
                Field(
                    "language",
                    gettext("Language"),
                    document.language,
                    "choice",
                    help=gettext(
                        "Of the pages that workers see. What a method says comes along; what you "
                        "wrote yourself stays."
                    ),
                    choices=LANGUAGES,
                    shapes=True,
                ),
            ),
        ),
        Group(
            "instructions",
            gettext("Who runs the study"),
            (
                Field(
                    "contact",
                    gettext("Name, institution and address"),
                    document.contact,
                    "text",
                    wide=True,
                    help=gettext(
                        "It takes the place of “[Researcher: …]” in the consent text. The approval "
                        "of an ethics board can be here, too."
                    ),
                ),
            ),
        ),
        topics_group(document),
        Group("recruitment", gettext("Where people come from"), tuple(_arriving(document))),
        Group(
            "recruitment",
            gettext("Pay"),
            (
                Field(
                    "recruitment/pay",
                    gettext("Pay for one task"),
                    hired.pay,
                    "number",
                ),
                Field(
                    "recruitment/currency",
                    gettext("Currency"),
                    hired.currency,
                    help=gettext("Three letters."),
                    usual=Recruitment().currency,
                ),
                Field(
                    "recruitment/hourly_wage",
                    gettext("Target wage"),
                    hired.hourly_wage,
                    "number",
                    unit=gettext("an hour"),
                    help=gettext("You are warned where the study pays less."),
                    shapes=True,
                ),
                Field(
                    "recruitment/budget",
                    gettext("Budget"),
                    hired.budget,
                    "number",
                    help=gettext(
                        "What the study may cost with fees: recruiting pauses before it costs "
                        "more. Left empty, there is no limit."
                    ),
                ),
            ),
        ),
        Group(
            "recruitment",
            gettext("How long data are kept"),
            tuple(_retention(document)),
            help=gettext(
                "The last day on which each is kept; people read it before they agree, and on "
                "their receipts. Left empty, it is kept without an end."
            ),
        ),
        Group(
            "quality",
            gettext("Time limit"),
            (
                Field(
                    "quality/time_limit_minutes",
                    gettext("Time limit"),
                    document.quality.time_limit_minutes,
                    "number",
                    unit="minutes",
                    help=gettext("Who needs longer loses the place, if somebody else takes it."),
                ),
            ),
        ),
    ]


CODE_HELPS = {
    "link": marked("Left empty, each piece of work has its own, which you can look up."),
    "prolific": marked("The same for everybody. Left empty, one is drawn."),
}
CODE_HELP = marked("The same for everybody. Left empty, each piece of work has its own.")


def _arriving(document: Document) -> Iterable[Field]:
    """How people come; what is for Prolific alone is there for Prolific, or to be taken back."""
    says = gettext("What the consent text says of ids and of payment follows it.")
    hired, by_prolific = document.recruitment, document.recruitment.platform == "prolific"
    most = gettext("The most that one person may do.")
    if document.kind == "writing" and document.onboarding.topics:
        most = gettext("The most that one person may do, besides the texts of the onboarding.")
    yield Field(
        "recruitment/platform",
        gettext("Platform"),
        hired.platform,
        "choice",
        choices=in_words(PLATFORMS),
        help=" ".join(filter(None, (says, _reached()))),
        shapes=True,
    )
    yield Field(
        "recruitment/tasks_per_worker",
        gettext("Tasks for one person"),
        hired.tasks_per_worker,
        "number",
        help=most,
    )
    yield Field(
        "recruitment/completion_code",
        gettext("Completion code"),
        hired.completion_code,
        help=gettext(CODE_HELPS.get(hired.platform, CODE_HELP)),
        usual="" if hired.platform == "link" else NOT_FOLDED,
    )
    if by_prolific or hired.no_consent_code:
        yield Field(
            "recruitment/no_consent_code",
            gettext("Code of those who do not agree"),
            hired.no_consent_code,
            help=gettext("For Prolific. Left empty, one is drawn."),
        )
    if by_prolific or hired.signed_links:
        yield Field(
            "recruitment/signed_links",
            gettext("Only by links that Prolific signed"),
            hired.signed_links,
            "yes",
            help=gettext(
                "Then nobody gets in who only knows a participant’s id. Some workspaces "
                "can do that: in Prolific it is the secure external study link."
            ),
        )
    yield Field(
        "recruitment/late_work",
        gettext("Work that comes after its time"),
        hired.late_work,
        "choice",
        choices=in_words(LATE_WORK),
        usual=Recruitment().late_work,
    )


def _reached() -> str:
    """That nobody else can come, where that is so; Check says what to do."""
    if not opens_here_alone(settings.PUBLIC_URL):
        return ""
    return gettext("The link opens on this computer alone so far: Check says how others get in.")


IDS_UNTIL = {
    "link": marked("Keep browser ids until"),
    "invitation": marked("Keep ids of those who are invited until"),
}


def _retention(document: Document) -> Iterable[Field]:
    """Only writers are recorded, and only Prolific tells of people."""
    platform, kept = document.recruitment.platform, document.retention
    shown = {
        "platform_ids_until": IDS_UNTIL.get(platform, marked("Keep platform ids until")),
        "demographics_until": marked("Keep demographic data until"),
        "logs_until": marked("Keep records of writing until"),
    }
    if document.kind != "writing":
        del shown["logs_until"]
    if platform != "prolific" and not kept.demographics_until:
        del shown["demographics_until"]
    for name, label in shown.items():
        day = getattr(kept, name)
        yield Field(
            f"retention/{name}",
            gettext(label),
            day and day.isoformat(),
            "day",
        )
