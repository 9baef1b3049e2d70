"""Warnings on a draft that can be launched all the same. Only reads."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from annotation.studies.act_effects import price
from annotation.studies.creating import CONTACT
from annotation.studies.drafts.estimates import work_in
from annotation.studies.drafts.kinds import Outline, kind_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.plan_results import PlannedPower, PlanResult
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.screening_schema import names_in
from annotation.studies.instruments import Fault
from annotation.studies.wages import TaskTerms, too_short, underpaid
from annotation.texts.number_formats import percentage
from annotation.texts.translation import translated

VOTES = r"instruments/[^/]*/defaults/quota"
# Of careful work what a quick reader takes: most people read at 175 to 300 words a minute, hardly
# anybody at 476 (Brysbaert, JML 109, 2019).
QUICK = 1 / 2
ENOUGH_PAGES = 2  # of a questionnaire that is tried: a first one, and one in routine
# Where a remark leads to that no field of the document mends.
TRY, PLAN, SERVER = "try", "plan", "server"


@dataclass(frozen=True)
class DraftState:
    """A draft and all that its warnings depend on; None is unknown.

    `tried` is the revision of the latest trial, `is_changed` whether its pages changed since.
    `tried_pages` are pages answered by hand and all pages; `tried_words` words typed, all words and
    the least that is enough. `tried_by_link`: the trial was anonymous. `qualified` is the number of
    people with the required qualification, `unknown_studies` are names that the team has no study
    of.
    """

    document: Document
    outline: Outline | None = None
    tried: int | None = None
    is_changed: bool = False
    tried_pages: tuple[int | None, int | None] = (None, None)
    tried_by_link: bool = False
    tried_words: tuple[int | None, int | None, int | None] = (None, None, None)
    qualified: int | None = None
    unknown_studies: frozenset[str] = frozenset()
    foresight: PlanResult | None = None
    opens_here_alone: bool = False

    @property
    def minutes(self) -> int:
        return self.document.minutes

    @property
    def expected(self) -> TaskTerms:
        """Return the expected pay of a task; by planned minutes if nothing is counted yet."""
        recruitment = self.document.recruitment
        return TaskTerms(
            pay=float(recruitment.pay),
            minutes=self.minutes,
            careful=self.outline.careful_minutes if self.outline else 0,
            target=float(recruitment.hourly_wage),
            currency=recruitment.currency,
        )

    def of_first(self, *place: str) -> str:
        """Return a path in the first instrument."""
        return joined("instruments", names(self.document.instruments)[0], *place)


def consent(look: DraftState) -> Iterable[Fault]:
    texts = [instrument["consent"] for instrument in look.document.instruments]
    if not any(text.strip() for text in texts):
        yield Fault(look.of_first("consent"), gettext("The consent text is empty."))
    elif not look.document.contact.strip() and not any(CONTACT.search(text) for text in texts):
        yield Fault("contact", gettext("The consent text has no contact."))


def instructions(look: DraftState) -> Iterable[Fault]:
    for name, instrument in zip(
        names(look.document.instruments), look.document.instruments, strict=True
    ):
        if not instrument["instructions"].strip():
            where = joined("instruments", name, "instructions")
            if len(look.document.instruments) == 1:
                yield Fault(where, gettext("The instructions are empty."))
            else:
                sentence = gettext("The instructions of “{title}” are empty.")
                yield Fault(where, sentence.format(title=instrument["title"]))


def wage(look: DraftState) -> Iterable[Fault]:
    if not look.document.recruitment.pay:
        yield Fault("recruitment/pay", gettext("The study is unpaid."))
    elif (warning := underpaid(look.expected)) is not None:
        yield Fault("recruitment/pay", translated(warning))


def budget(look: DraftState) -> Iterable[Fault]:
    recruitment = look.document.recruitment
    if recruitment.budget is None or look.outline is None:
        return
    cost = price(
        places=look.outline.places,
        pay=recruitment.pay,
        platform=recruitment.platform,
        currency=recruitment.currency,
    )
    if cost.total > recruitment.budget:
        yield Fault(
            "recruitment/budget",
            gettext(
                "All places cost {cost:,.2f} {currency} with fees, over the budget of "
                "{budget:,.2f}. Recruiting pauses when it is spent."
            ).format(cost=cost.total, budget=recruitment.budget, currency=recruitment.currency),
        )


def reading_time(look: DraftState) -> Iterable[Fault]:
    if look.outline is None:
        return
    limit, outline = look.document.quality.time_limit_minutes, look.outline
    careful = look.expected.careful
    if careful > limit:
        yield Fault(
            "quality/time_limit_minutes",
            gettext("Our estimate of {careful} min exceeds the time limit of {limit} min.").format(
                careful=careful, limit=limit
            ),
        )
    warning = too_short(
        look.expected, reading=outline.reading_minutes, writing=outline.writing_minutes
    )
    if warning is not None:
        yield Fault(look.of_first("defaults", "minutes"), translated(warning))


def time_limit(look: DraftState) -> Iterable[Fault]:
    limit = look.document.quality.time_limit_minutes
    if limit < look.minutes:
        yield Fault(
            "quality/time_limit_minutes",
            gettext("The time limit of {limit} min is below the planned {minutes} min.").format(
                limit=limit, minutes=look.minutes
            ),
        )


def least_time(look: DraftState) -> Iterable[Fault]:
    for name, instrument in zip(
        names(look.document.instruments), look.document.instruments, strict=True
    ):
        seconds, minutes = (
            instrument["defaults"]["minimum_seconds"],
            instrument["defaults"]["minutes"],
        )
        if seconds >= 60 * minutes > 0:
            yield Fault(
                joined("instruments", name, "defaults", "minimum_seconds"),
                gettext(
                    "The minimum time of {seconds} s isn't below the planned {minutes} min: "
                    "it flags participants who finish on time."
                ).format(seconds=seconds, minutes=minutes),
            )


def quick_people(look: DraftState) -> Iterable[Fault]:
    """Warn if quick but honest workers, twice as fast as careful ones, would be flagged."""
    work = work_in(look.outline) if look.outline else None
    seconds = look.document.minimum_seconds
    if work is not None and seconds > 60 * work.minutes * QUICK:
        yield Fault(
            look.of_first("defaults", "minimum_seconds"),
            gettext(
                "The minimum time of {seconds} s is over half of {minutes} min: it flags honest "
                "participants. Use a third, {least} s."
            ).format(minutes=work.minutes, seconds=seconds, least=work.least_seconds),
        )


def completion_code(look: DraftState) -> Iterable[Fault]:
    recruitment = look.document.recruitment
    if recruitment.platform == "prolific" and not recruitment.completion_code.strip():
        yield Fault(
            "recruitment/completion_code",
            gettext("After launch, copy the completion code from Recruit to Prolific."),
        )


def submissions(look: DraftState) -> Iterable[Fault]:
    recruitment = look.document.recruitment
    if recruitment.platform != "prolific":
        return
    if look.document.onboarding.topics:
        yield Fault(
            "recruitment/platform",
            gettext(
                "Prolific pays each submission once. Pay tasks after the onboarding as bonuses."
            ),
        )
    elif recruitment.tasks_per_worker > 1:
        yield Fault(
            "recruitment/tasks_per_worker",
            gettext(
                "Prolific pays each submission once, for one task. For more tasks, create "
                "another Prolific study."
            ),
        )


def qualification(look: DraftState) -> Iterable[Fault]:
    document = look.document
    if document.screening.requires.strip() and document.recruitment.platform == "link":
        yield Fault(
            "screening/requires",
            gettext(
                "A plain link can't recognize earlier participants. Change the platform or "
                "remove the qualification."
            ),
        )
    elif look.qualified == 0:
        yield Fault(
            "screening/requires",
            gettext("No one has the qualification “{name}” yet.").format(
                name=look.document.screening.requires.strip()
            ),
        )


def earlier_studies(look: DraftState) -> Iterable[Fault]:
    screening = look.document.screening
    for path, studies in (
        ("screening/required_studies", names_in(screening.required_studies)),
        ("screening/excluded_studies", names_in(screening.excluded_studies)),
    ):
        if unknown := [name for name in studies if name in look.unknown_studies]:
            yield Fault(
                path,
                gettext("Your team has no study with the link name {names}.").format(
                    names=", ".join(f"“{name}”" for name in unknown)
                ),
            )
        if studies and look.document.recruitment.platform == "link":
            yield Fault(
                path,
                gettext("A plain link recognizes participants only in the same browser."),
            )


def reachability(look: DraftState) -> Iterable[Fault]:
    if look.opens_here_alone:
        yield Fault(
            SERVER,
            gettext("The study link works only on this computer."),
        )


def trial(look: DraftState) -> Iterable[Fault]:
    if look.tried is None:
        yield Fault(TRY, gettext("No one has tried the study yet."))
    elif look.is_changed:
        yield Fault(
            TRY,
            gettext("The study has changed since the last trial. Try it again."),
        )
    else:
        pages, total = look.tried_pages
        if pages is not None and total is not None and pages < min(ENOUGH_PAGES, total):
            yield Fault(
                TRY,
                ngettext(
                    "Trial: {pages} of {total} page answered by hand, at least {enough} needed.",
                    "Trial: {pages} of {total} pages answered by hand, at least {enough} needed.",
                    total,
                ).format(pages=pages, total=total, enough=min(ENOUGH_PAGES, total)),
            )
        _, words, low = look.tried_words
        if words is not None and low is not None and words < low:
            yield Fault(
                TRY,
                ngettext(
                    "Trial text: {words} word, below the minimum of {low}.",
                    "Trial text: {words} words, below the minimum of {low}.",
                    words,
                ).format(words=words, low=low),
            )


def trial_extent(look: DraftState) -> str:
    pages, total = look.tried_pages
    by_hand, words, _ = look.tried_words
    parts = []
    if by_hand is not None and words is not None:
        parts.append(_words_by_hand(by_hand, words))
    elif pages is not None and total is not None:
        parts.append(gettext("tried: {pages} of {total} pages").format(pages=pages, total=total))
    if look.tried_by_link:
        parts.append(gettext("by link, not signed in"))
    return ", ".join(parts)


def _words_by_hand(by_hand: int, words: int) -> str:
    if by_hand < words:
        words_text = gettext("trial: {by_hand} of {words} words typed")
        return words_text.format(by_hand=by_hand, words=words)
    return ngettext("tried with {words} word", "tried with {words} words", words).format(
        words=words
    )


def power(look: DraftState) -> Iterable[Fault]:
    if look.outline is None:
        return
    if look.foresight is None:
        yield Fault(
            PLAN,
            gettext("Power hasn't been computed yet."),
        )
    elif look.foresight.sureness is None:
        yield Fault(
            PLAN,
            gettext("The design changed since power was computed."),
        )
    elif look.foresight.sureness.why:
        yield Fault(PLAN, look.foresight.sureness.why)
    elif look.foresight.sureness.is_low:
        yield from _low_power(look, look.foresight.sureness)


def _low_power(look: DraftState, sureness: PlannedPower) -> Iterable[Fault]:
    """More votes where they help, else fewer tasks per participant or more topics."""
    planned, enough, most = sureness.planned, sureness.enough, sureness.most
    sentence = ""
    if planned is not None:
        sentence = ngettext(
            "Power to identify the best system: {named} with {votes} vote per item.",
            "Power to identify the best system: {named} with {votes} votes per item.",
            planned.votes,
        ).format(votes=planned.votes, named=percentage(planned.named))
    if sureness.limit:
        yield _limit(look, sureness.limit, sentence)
    elif enough is not None:
        more = ngettext(
            "{named} with {votes} vote.", "{named} with {votes} votes.", enough.votes
        ).format(votes=enough.votes, named=percentage(enough.named))
        best = gettext("At the same cost, more topics help more.")
        yield Fault(look.of_first("defaults", "quota"), " ".join((sentence, more, best)))
    elif most is not None:
        path, lever = _lever(look, sureness)
        more = lever.format(named=percentage(most.named), votes=most.votes)
        yield Fault(path, " ".join(filter(None, (sentence, more, _topics_wanted(sureness)))))


def _lever(look: DraftState, sureness: PlannedPower) -> tuple[str, str]:
    """Return path and sentence of what helps where more votes do not."""
    if sureness.lever == "raters" and look.document.recruitment.tasks_per_worker > 1:
        return "recruitment/tasks_per_worker", gettext(
            "More votes aren't enough ({named} with {votes}). Allow fewer tasks per "
            "participant or add topics."
        )
    return "design/topics", gettext("More votes aren't enough ({named} with {votes}). Add topics.")


def _limit(look: DraftState, limit: str, sentence: str) -> Fault:
    """Return the lever of a design with which results name no winner."""
    if limit == "topics":
        path, more = "design/topics", gettext("Naming a winner takes at least 10 topics.")
    elif look.document.recruitment.tasks_per_worker > 1:
        path = "recruitment/tasks_per_worker"
        more = gettext(
            "Naming a winner takes at least 10 participants. Allow fewer tasks per "
            "participant or add votes."
        )
    else:
        path = look.of_first("defaults", "quota")
        more = gettext("Naming a winner takes at least 10 participants. Add votes.")
    return Fault(path, " ".join(filter(None, (sentence, more))))


def _topics_wanted(sureness: PlannedPower) -> str:
    if sureness.topics_wanted is None or sureness.most is None:
        return ""
    return gettext(
        "With {votes} votes per item, you need about {wanted} topics (now {topics})."
    ).format(
        votes=sureness.most.votes,
        wanted=f"{sureness.topics_wanted:,}",
        topics=f"{sureness.topics:,}",
    )


def missing_sources(look: DraftState) -> Iterable[Fault]:
    yield from look.outline.lacking if look.outline else ()


def sparse_texts(look: DraftState) -> Iterable[Fault]:
    yield from look.outline.sparse if look.outline else ()


def planned_words(look: DraftState) -> Iterable[Fault]:
    return kind_of(look.document.kind).remarks(look.document, look.outline)


def votes(look: DraftState) -> Iterable[Fault]:
    remarks = kind_of(look.document.kind).remarks(look.document, look.outline)
    return (remark for remark in remarks if re.fullmatch(VOTES, remark.path))


def long_pages(look: DraftState) -> Iterable[Fault]:
    remarks = kind_of(look.document.kind).remarks(look.document, look.outline)
    return (remark for remark in remarks if not re.fullmatch(VOTES, remark.path))
