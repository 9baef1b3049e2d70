"""The document of a study: everything that its researcher decides before the launch.

Stored and sent as JSON with every key. The kind of study defines the instruments (`kinds`). Pure:
no Django.
"""

from datetime import date
from typing import Annotated, Any, Literal

import msgspec

from annotation.studies.drafts.plain_data import MAX_TITLE_LENGTH
from annotation.studies.drafts.recruitment_schema import Recruitment, on_prolific
from annotation.studies.drafts.screening_schema import Screening
from annotation.studies.drafts.setting import Setting, settings_in
from annotation.texts.sentences import marked

FORMAT: Literal["crowdwright-study-1"] = "crowdwright-study-1"


def _ids_until(document: "Document") -> str:
    if document.recruitment.platform == "link":
        return marked("Keep browser IDs until")
    if document.recruitment.platform == "invitation":
        return marked("Keep invitation IDs until")
    return marked("Keep platform IDs until")


def _arms_title(document: "Document") -> str:
    if document.kind == "writing":
        return marked("Styles for each participant")
    return marked("Methods for each participant")


def _arms_in(document: "Document") -> int:
    """Return the number of possible arms: methods, or styles of a writing study."""
    if document.kind == "writing":
        return sum(len(instrument.get("styles", ())) for instrument in document.instruments)
    return len(document.instruments)


class Design(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The selected topics and systems; null selects all of the corpus.

    `chosen_topics` and `systems` are keys. `topics` is the number drawn. `one_page`: instruments
    share a page for the same item.
    """

    topics: Annotated[
        int | None,
        Setting(
            title=marked("Sample size"),
            form="topics",
            shown=lambda document: document.design.topics is not None,
            reshapes=True,  # which these are stands below
        ),
    ] = None
    seed: Annotated[
        int,
        Setting(
            title=marked("Seed"),
            help=marked("The same seed gives the same sample."),
            form="topics",
            folds=lambda document: document.design.topics is None,
            reshapes=lambda document: document.design.topics is not None,
            column="seed",
        ),
    ] = 1
    arms: Annotated[
        Literal["all", "one"],
        Setting(
            title=_arms_title,
            help=marked("“Random”: each participant gets one order for all pages."),
            choices=(("all", marked("all")), ("one", marked("one, at random"))),
            form="methods",
            shown=lambda document: _arms_in(document) > 1 or document.design.arms != "all",
            reshapes=True,
            column="arms",
        ),
    ] = "all"
    one_page: Annotated[
        bool,
        Setting(
            title=marked("Show methods with the same texts on one page"),
            help=marked("Only for methods with the same design."),
            form="methods",
            shown=lambda document: document.kind == "judging" and document.design.arms == "all",
            column="presentation",
        ),
    ] = False
    question_order: Annotated[
        Literal["fixed", "drawn"],
        Setting(
            title=marked("Order of questions"),
            help=marked("“Random”: each participant gets one order for all pages."),
            choices=(
                ("fixed", marked("as in the method")),
                ("drawn", marked("random per participant")),
            ),
            form="page",
            column="question_order",
        ),
    ] = "fixed"
    background: Annotated[
        Literal["folded", "pinned"],
        Setting(
            title=marked("Topic background"),
            help=marked("The topic's description in the corpus."),
            choices=(
                ("folded", marked("folded below the query")),
                ("pinned", marked("pinned next to the texts")),
            ),
            form="page",
            column="background",
        ),
    ] = "folded"
    empty_answers: Annotated[
        Literal["shown", "lose"],
        Setting(
            title=marked("Empty answers in pairs"),
            help=marked("Two empty answers tie."),
            choices=(
                ("shown", marked("shown to participants")),
                ("lose", marked("count as losses without being shown")),
            ),
            form="page",
            column="empty_answers",
        ),
    ] = "shown"
    systems: list[str] | None = None
    chosen_topics: list[str] | None = None


class Onboarding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """First tasks of new writers; `accepted` null means all."""

    topics: Annotated[
        int,
        Setting(
            title=marked("Onboarding topics"),
            help=marked("Participants write on these topics first. 0 turns onboarding off."),
            form="onboarding",
            reshapes=True,
        ),
    ] = 0
    writers: Annotated[
        int,
        Setting(
            title=marked("Onboarding places"),
            form="onboarding",
            shown=lambda document: document.onboarding.topics,
        ),
    ] = 10
    accepted: Annotated[
        int | None,
        Setting(
            title=marked("Approved texts required"),
            help=marked("Default: all."),
            blank=marked("All"),
            form="onboarding",
            shown=lambda document: (
                document.onboarding.topics or document.onboarding.accepted is not None
            ),
        ),
    ] = None


class Policy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Consequence of a failed check, decided by a person unless it is `automatic`.

    `least`: failed attention or gold items that it takes.
    """

    act: Annotated[
        Literal["review", "reject", "pay_anyway"],
        Setting(
            title=marked("Flagged submissions"),
            choices=(
                ("review", marked("flag for review")),
                ("reject", marked("reject")),
                ("pay_anyway", marked("reject, but pay")),
            ),
            reshapes=True,
            folds=True,
        ),
    ] = "review"
    automatic: Annotated[
        bool,
        Setting(title=marked("Apply automatically"), help=marked("Otherwise, a reviewer decides.")),
    ] = False
    least: Annotated[int, Setting(title=marked("Minimum failed items"))] = 1


class Policies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The policy of each check."""

    attention: Annotated[Policy, Setting(title=marked("Failed attention items"))] = Policy()
    gold: Annotated[Policy, Setting(title=marked("Failed gold items"))] = Policy()
    fast: Annotated[Policy, Setting(title=marked("Below the minimum time"))] = Policy()
    same: Annotated[Policy, Setting(title=marked("Straight-lining"))] = Policy()
    copied: Annotated[Policy, Setting(title=marked("Copied comments"))] = Policy()


class Quality(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Time limit and policies of the whole study; instruments have their own checks."""

    time_limit_minutes: Annotated[
        int,
        Setting(
            title=marked("Time limit"),
            help=marked("After this time, the place is free again."),
            unit="minutes",
            form="time",
            column="time_limit_minutes",
            minimum=1,
            if_outside=marked("Enter at least 1."),
        ),
    ] = 120
    policies: Annotated[
        Policies, Setting(title=marked("Flagged submissions"), column="policies")
    ] = Policies()


class Retention(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Last day on which each kind of data is kept; null: no limit. Writing studies have logs."""

    platform_ids_until: Annotated[
        date | None,
        Setting(
            title=_ids_until,
            help=marked("Last day of storage, shown before consent. Default: no end."),
            form="retention",
        ),
    ] = None
    demographics_until: Annotated[
        date | None,
        Setting(
            title=marked("Keep demographic data until"),
            form="retention",
            # Only Prolific tells of people.
            shown=lambda document: on_prolific(document) or document.retention.demographics_until,
        ),
    ] = None
    logs_until: Annotated[
        date | None,
        Setting(
            title=marked("Keep recordings of writing until"),
            form="retention",
            shown=lambda document: document.kind == "writing",
        ),
    ] = None
    recordings_until: Annotated[
        date | None,
        Setting(
            title=marked("Keep session recordings until"),
            form="retention",
            shown=lambda document: document.recorded or document.retention.recordings_until,
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
            title=marked("Link name"),
            help=marked("End of the participant link. Use lowercase letters, digits and hyphens."),
            form="study",
            order=2,
            column="slug",
            copied=False,
            if_blank=marked("Enter a link name."),
        ),
    ] = ""
    title: Annotated[
        str,
        Setting(
            title=marked("Title"),
            help=marked("Shown to participants."),
            form="study",
            order=1,
            wide=True,
            reshapes=lambda document: not document.title,
            column="title",
            max_length=MAX_TITLE_LENGTH,
            if_blank=marked("Enter a title."),
        ),
    ] = ""
    language: Annotated[
        str,
        Setting(
            title=marked("Language"),
            help=marked("Used on participant pages. Your own texts aren't translated."),
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
            help=marked("Replaces “[Researcher: …]” in the consent text."),
            form="contact",
            widget="text",
            wide=True,
        ),
    ] = ""
    recorded: Annotated[
        bool,
        Setting(
            title=marked("Moderated sessions"),
            help=marked("A moderator records the participant. The consent page includes a notice."),
            form="contact",
            shown=lambda document: document.kind == "judging" or document.recorded,
            reshapes=True,
            column="recorded",
        ),
    ] = False
    rendering: Annotated[
        Literal["markdown", "plain", "preformatted"],
        Setting(
            title=marked("Text format"),
            help=marked("Applies to participants, reviewers and results."),
            choices=(
                ("markdown", marked("Markdown with formulas, as in a chat")),
                ("plain", marked("Plain paragraphs")),
                ("preformatted", marked("Preformatted, exactly as imported")),
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

    @property
    def minutes(self) -> int:
        """Planned minutes per task: the sum of all methods, or the longest arm."""
        times = [instrument["defaults"]["minutes"] for instrument in self.instruments]
        return max(times, default=0) if self.has_method_arms else sum(times)

    @property
    def minimum_seconds(self) -> int:
        """Minimum seconds per task: the sum of all methods, or the shortest arm."""
        times = [instrument["defaults"]["minimum_seconds"] for instrument in self.instruments]
        return min(times, default=0) if self.has_method_arms else sum(times)

    @property
    def has_method_arms(self) -> bool:
        """Return whether each participant gets one of the methods."""
        return self.kind == "judging" and self.design.arms == "one"


SETTINGS = {setting.path: setting for setting in settings_in(Document)}
