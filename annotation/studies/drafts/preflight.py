"""Checks before a launch: the warnings in order, and the settings that each of them concerns."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from annotation.studies.drafts import prolific_rules, warnings
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.warnings import DraftState
from annotation.studies.instruments import Fault
from annotation.texts.sentences import marked


@dataclass(frozen=True)
class DraftCheck:
    """`title` is what is checked: `remarks` finds what is unwise, faults are at one of `places`.

    A check that is `counted` looks at what the outline says, too, and is open without one. It is
    there for documents that are `of` its kind alone, so that nothing is good of which there is
    nothing. `how` says how far it holds, `name` what its remarks are about, where the name of the
    field that mends it would not.
    """

    title: str
    remarks: Callable[[DraftState], Iterable[Fault]]
    places: str = ""
    counted: bool = False
    of: Callable[[Document], bool] = lambda _: True
    how: Callable[[DraftState], str] = lambda _: ""
    name: str = ""

    def concerns(self, path: str) -> bool:
        return bool(self.places and re.fullmatch(self.places, path))


def _on_prolific(document: Document) -> bool:
    return document.recruitment.platform == "prolific"


def _screens_on_prolific(document: Document) -> bool:
    return _on_prolific(document) and bool(document.screening.questions)


def _rejects_on_prolific(document: Document) -> bool:
    rejects = document.quality.policies.attention.act == "reject"
    return _on_prolific(document) and rejects


def _for_qualified(document: Document) -> bool:
    return bool(document.screening.requires.strip())


def _names_studies(document: Document) -> bool:
    screening = document.screening
    return bool(screening.required_studies.strip() or screening.excluded_studies.strip())


def _draws_on_others(document: Document) -> bool:
    return any(True for _ in kind_of(document.kind).sources.named(document))


def _writes(document: Document) -> bool:
    return document.kind == "writing"


def _judges(document: Document) -> bool:
    return document.kind == "judging"


MINUTES = r"quality/time_limit_minutes|instruments/.*/defaults/minutes"
CHECKS: dict[str, DraftCheck] = {
    "consent": DraftCheck(marked("Contact"), warnings.consent, r"contact|instruments/.*/consent"),
    "instructions": DraftCheck(
        marked("Instructions"), warnings.instructions, r"instruments/.*/instructions"
    ),
    "wage": DraftCheck(
        marked("Hourly pay"),
        warnings.wage,
        r"recruitment/(pay|hourly_wage|currency)|instruments/.*/defaults/minutes",
        counted=True,
    ),
    "budget": DraftCheck(
        marked("Budget"),
        warnings.budget,
        r"recruitment/(pay|budget|currency)",
        counted=True,
        of=lambda document: document.recruitment.budget is not None,
    ),
    "reading-time": DraftCheck(
        marked("Time per task"), warnings.reading_time, MINUTES, counted=True
    ),
    "writing-time": DraftCheck(
        marked("Time to write"), warnings.planned_words, MINUTES, of=_writes
    ),
    "time-limit": DraftCheck(marked("Time limit"), warnings.time_limit, MINUTES),
    "least-time": DraftCheck(
        marked("Minimum time"),
        warnings.least_time,
        r"instruments/.*/defaults/(minimum_seconds|minutes)",
    ),
    "quick-workers": DraftCheck(
        marked("Fast participants"),
        warnings.quick_people,
        r"instruments/.*/defaults/minimum_seconds",
        counted=True,
        of=_judges,
    ),
    "completion-code": DraftCheck(
        marked("Completion code"),
        warnings.completion_code,
        r"recruitment/completion_code",
        of=_on_prolific,
    ),
    "prolific-tasks": DraftCheck(
        marked("Tasks per submission"),
        warnings.submissions,
        r"recruitment/tasks_per_worker",
        of=_on_prolific,
    ),
    "prolific-currency": DraftCheck(
        marked("Currency"),
        lambda look: prolific_rules.currency(look.document),
        r"recruitment/currency",
        of=_on_prolific,
    ),
    "prolific-reward": DraftCheck(
        marked("Minimum reward"),
        lambda look: prolific_rules.hourly_reward(look.document, look.expected),
        r"recruitment/(pay|currency)|instruments/.*/defaults/minutes",
        of=_on_prolific,
    ),
    "prolific-screen-out": DraftCheck(
        marked("Screen-out reward"),
        lambda look: prolific_rules.screening_reward(look.document),
        r"screening/reward",
        of=_screens_on_prolific,
    ),
    "prolific-comprehension": DraftCheck(
        marked("Comprehension check"),
        lambda look: prolific_rules.comprehension(look.document),
        r"screening/(reward|questions.*)",
        of=_screens_on_prolific,
    ),
    "prolific-attention": DraftCheck(
        marked("Attention checks"),
        lambda look: prolific_rules.attention_checks(look.document, look.expected),
        r"quality/policies/attention.*|instruments/[^/]*/attention.*",
        of=_rejects_on_prolific,
    ),
    "prolific-groups": DraftCheck(
        marked("Qualifications on Prolific"),
        lambda look: prolific_rules.groups(look.document),
        r"screening/(requires|excludes|required_studies)",
        of=_on_prolific,
    ),
    "prolific-consent": DraftCheck(
        marked("Consent text"),
        lambda look: prolific_rules.consent(look.document),
        r"instruments/[^/]*/consent",
        of=_on_prolific,
    ),
    "qualification": DraftCheck(
        marked("Required qualification"),
        warnings.qualification,
        r"screening/requires",
        of=_for_qualified,
    ),
    "earlier-studies": DraftCheck(
        marked("Earlier studies"),
        warnings.earlier_studies,
        r"screening/(required|excluded)_studies",
        of=_names_studies,
    ),
    "link": DraftCheck(marked("Link"), warnings.reachability),
    "tried": DraftCheck(marked("Trial"), warnings.trial, how=warnings.trial_extent),
    "power": DraftCheck(
        marked("Power"),
        warnings.power,
        counted=True,
        of=lambda document: kind_of(document.kind).compares(document),
    ),
    "drawn-texts": DraftCheck(
        marked("Data from other studies"),
        warnings.missing_sources,
        r"instruments/.*/defaults/documents_.*",
        counted=True,
        of=_draws_on_others,
    ),
    "texts": DraftCheck(
        marked("Texts per system"),
        warnings.sparse_texts,
        r"corpus|design/(topics|systems.*)",
        counted=True,
        of=_judges,
    ),
    "votes": DraftCheck(
        marked("Votes per item"), warnings.votes, warnings.VOTES, counted=True, of=_judges
    ),
    "page-length": DraftCheck(
        marked("Page length"),
        warnings.long_pages,
        r"instruments/[^/]*/questions.*",
        counted=True,
        of=_judges,
        name=marked("Long pages on a phone"),
    ),
}
