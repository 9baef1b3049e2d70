"""Evidence beside one submission: numbers with their intervals, never a verdict."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from statistics import median
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from analysis.models import AgreementWithOthers
from analysis.pages.entities.assignments import works_of
from analysis.pages.entities.flags import Standard, marks_of
from analysis.pages.entities.names import answer_said, work_name
from analysis.pages.entities.newest_results import competences, newest_of
from analysis.stats.agreement.rater_agreement import TooFewShared
from annotation.console.shown_texts import texts_of
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.review.platform_states import state_of
from annotation.models import Assignment, Study
from annotation.texts.citations import cited_places
from annotation.texts.number_formats import figure, span
from annotation.texts.translation import translated
from judging.models import Examination, Judgment, Question
from judging.review.acting import proposals_of
from judging.review.check_results import checks_of
from judging.review.redo_changes import redos_of
from writing.process import measured
from writing.review import submissions, terms

FEWEST_PAGES = 6  # of fewer the median has no interval of 95 %


@dataclass(frozen=True)
class Evidence:
    """Number in the panel.

    `note` gives its 95% confidence interval and comparison, or the reason why it cannot be
    computed. Details, which the panel folds, have its n. `marked` numbers count in the order of the
    queue.
    """

    title: str
    said: str
    note: str = ""
    marked: bool = False
    is_detail: bool = False
    code: str = ""  # of the reason


def context(study: Study, work: Assignment) -> dict[str, Any]:
    work.study = study
    writes = study.kind == Study.Kind.WRITING
    decisions = list(work.decisions.order_by("pk"))
    return {
        "work": work,
        "name": work_name(work),
        "marks": _of_terms_and_log(work)
        if writes
        else [*marks_of(work, Standard.of(study)), *_proposals(study, work)],
        "evidence": _of_text(work) if writes else _of_answers(study, work),
        "decisions": decisions,
        "platform": state_of(work),
        "last": decisions[-1] if decisions else None,
        "decidable": work.state in reviewing.DECIDABLE,
        "redoable": work.state == Assignment.State.SUBMITTED,
        "entry": submissions.answers(study.entry_form, work.entry_answers),
        "exit": submissions.answers(study.exit_form, work.exit_answers),
        "texts": texts_of(study),
        "text": getattr(getattr(work, "writing", None), "text", ""),
    }


def work_in(study: Study) -> Any:
    """Return the work of a study that was submitted at least once."""
    states = [*Assignment.HANDED_IN, Assignment.State.ACTIVE]
    return works_of(study).filter(state__in=states)


def _proposals(study: Study, work: Assignment) -> list[str]:
    """Return the decisions that the policies of the study propose."""
    seen = getattr(work, "examination", None)
    return list(proposals_of(study, seen.marks)) if seen else []


# -- A questionnaire -----------------------------------------------------------------------------


def _of_answers(study: Study, work: Assignment) -> list[Evidence]:
    given = list(
        Judgment.objects.filter(assignment=work)
        .exclude(raw="")
        .select_related("question__scale")
        .only("item", "raw", "milliseconds", "question__key", "question__scale")
    )
    return [
        *_redone(work),
        *_time(study, work, given),
        *_same(given),
        *_checks(work),
        *_agreement(study, work),
        _competence(study, work),
        *_honesty(study, work),
    ]


def _redone(work: Assignment) -> list[Evidence]:
    """Return the changes at each redo, the newest first."""
    return [
        Evidence(
            gettext("Answers changed after the request")
            if redo.is_open
            else gettext("Changed answers"),
            gettext("{n} of {answers}").format(n=len(redo.changes), answers=redo.answers),
            gettext("requested by {asked_by} on {at:%-d %B, %H:%M} UTC").format(
                asked_by=redo.asked_by, at=timezone.localtime(redo.asked_at)
            ),
        )
        for redo in reversed(redos_of(work))
    ]


def _time(study: Study, work: Assignment, given: Sequence[Judgment]) -> list[Evidence]:
    pages: dict[int, float] = {}
    for judgment in given:
        if judgment.milliseconds is not None:
            pages[judgment.item_id] = max(
                pages.get(judgment.item_id, 0), judgment.milliseconds / 1000
            )
    title, (others, among) = gettext("Time per item"), _among(study, work)
    based_on = gettext("{n} other submissions").format(n=others)
    if not pages:
        return [Evidence(title, "", gettext("No times recorded"))]
    times = sorted(pages.values())
    note, items = "", ngettext("{n} item", "{n} items", len(times)).format(n=len(times))
    if len(times) < FEWEST_PAGES:
        items = gettext("{items}, too few for an interval").format(items=items)
    else:
        low, high = median_interval(times)
        note = gettext("{low} to {high}").format(low=span(low), high=span(high))
    return [
        Evidence(title, span(median(times)), "; ".join(filter(None, (note, among)))),
        Evidence(gettext("Time based on"), "", f"{items}; {based_on}", is_detail=True),
    ]


def _among(study: Study, work: Assignment) -> tuple[int, str]:
    """Return the number of other submissions, and their time relative to this one."""
    rows = Examination.objects.filter(assignment__study=study, seconds__gt=0, answers__gt=0)
    pace_rows = rows.values_list("assignment", "seconds", "answers")
    paces = {pk: seconds / n for pk, seconds, n in pace_rows if seconds is not None}
    if work.pk not in paces or len(paces) < 2:
        return 0, ""
    mine = paces.pop(work.pk)
    return len(paces), gettext("others take {median:.1f} times as long").format(
        median=median(paces.values()) / mine
    )


def median_interval(ordered: Sequence[float]) -> tuple[float, float]:
    """Return an interval of at least 95% for the median of the population.

    By the sign test, whatever the distribution (Conover, Practical Nonparametric Statistics, 1999,
    section 3.2).
    """
    n, cut, below = len(ordered), 0, comb(len(ordered), 0)
    while (below + comb(n, cut + 1)) / 2**n <= 0.025:
        cut += 1
        below += comb(n, cut)
    return ordered[cut], ordered[n - 1 - cut]


def _same(given: Sequence[Judgment]) -> list[Evidence]:
    """Return the most frequent answer, and the items with one answer to all questions.

    These are all answers of the questionnaire, so they have no interval.
    """
    chosen = [judgment for judgment in given if judgment.question.scale.kind == "options"]
    if not chosen:
        return [
            Evidence(
                gettext("Straight-lining"),
                "",
                gettext("no answers"),
            )
        ]
    (raw, n), *_ = Counter(judgment.raw for judgment in chosen).most_common(1)
    question: Question = next(judgment.question for judgment in chosen if judgment.raw == raw)
    by_item: dict[int, set[str]] = defaultdict(set)
    counts_by_item: Counter[int] = Counter()
    for judgment in chosen:
        by_item[judgment.item_id].add(judgment.raw)
        counts_by_item[judgment.item_id] += 1
    several = [item for item, count in counts_by_item.items() if count > 2]
    evidence = [
        Evidence(
            gettext("Most frequent answer"),
            f"{100 * n / len(chosen):.0f}%",
            gettext("“{answer_said}”, {n} of {chosen}").format(
                answer_said=answer_said(question, raw), n=n, chosen=len(chosen)
            ),
            is_detail=True,
        )
    ]
    if several:
        alike = sum(len(by_item[item]) == 1 for item in several)
        evidence.append(
            Evidence(
                gettext("Same answer to all questions"),
                f"{alike} of {len(several)}",
                "items",
                is_detail=True,
            )
        )
    return evidence


def _checks(work: Assignment) -> list[Evidence]:
    """Return the results of attention and gold items, if the questionnaire has some."""
    checks = checks_of(work)
    return [
        Evidence(gettext("{title} items passed").format(title=title), f"{n - failed} of {n}")
        for title, (failed, n) in (
            (gettext("Attention"), checks.attention),
            (gettext("Gold"), checks.gold),
        )
        if n
    ]


def _agreement(study: Study, work: Assignment) -> list[Evidence]:
    title = gettext("Agreement with others")
    mine = AgreementWithOthers.objects.filter(assignment=work).first()
    if mine is None:
        return [Evidence(title, "", gettext("Computing…"))]
    if mine.value is None or mine.low is None or mine.high is None:
        too_few = TooFewShared(mine.items)
        return [Evidence(title, "", str(too_few), code=too_few.code)]
    standard = Standard.of(study)
    parts = [_range(100 * mine.low, 100 * mine.high)]
    if standard.middle is not None:
        parts.append(gettext("median {middle:.0f}%").format(middle=100 * standard.middle))
    is_low = standard.is_low(mine.high)
    based_on = gettext("{votes} votes on {items} items").format(votes=mine.votes, items=mine.items)
    return [
        Evidence(title, f"{100 * mine.value:.0f}%", "; ".join(parts), marked=is_low),
        Evidence(gettext("Agreement based on"), "", based_on, is_detail=True),
    ]


def _range(low: float, high: float) -> str:
    """Return an interval in percent, with a minus sign as wide as a digit."""
    return gettext("{low:.0f} to {high:.0f}%").format(low=low, high=high).replace("-", "−")


def _competence(study: Study, work: Assignment) -> Evidence:
    title, newest = gettext("Competence"), newest_of(study)
    if newest is None:
        return Evidence(title, "", gettext("no analysis yet"), is_detail=True)
    at = newest.run.finished_at
    when = (
        gettext("analysis of {at:%-d %b, %H:%M} UTC").format(at=at)
        if at
        else gettext("latest analysis")
    )
    mine = competences(newest).get(str(work.worker))
    if mine is None:
        return Evidence(title, "", gettext("unknown, {when}.").format(when=when), is_detail=True)
    if mine.low is None or mine.high is None:
        return Evidence(
            title,
            f"{mine.value:.2f}",
            gettext("{when}; no interval.").format(when=when),
            is_detail=True,
        )
    return Evidence(
        title,
        f"{mine.value:.2f}",
        gettext("{percent} CI {low:.2f} to {high:.2f}, {when}.").format(
            percent=newest.percent, low=mine.low, high=mine.high, when=when
        ),
        is_detail=True,
    )


def _honesty(study: Study, work: Assignment) -> list[Evidence]:
    """Return the comparison with an honest worker on the same items, where there is one."""
    newest = newest_of(study)
    mine = competences(newest).get(str(work.worker))
    if newest is None or mine is None or mine.honesty is None:
        return []
    title, honesty = gettext("Agreement vs. expected"), mine.honesty
    if not honesty.comparable or honesty.low is None or honesty.high is None:
        return [
            Evidence(
                title,
                "",
                gettext("Not enough data to detect guessing"),
                is_detail=True,
            )
        ]
    return [
        Evidence(
            title,
            f"{honesty.percent:.0f}%",
            _range(honesty.low, honesty.high),
            marked=honesty.mark,
            is_detail=not honesty.mark,
        ),
        Evidence(
            gettext("Expected by guessing"),
            "0%",
            gettext("q = {q:.3f}").format(q=honesty.q),
            is_detail=True,
        ),
    ]


# -- A text --------------------------------------------------------------------------------------


def _of_text(work: Assignment) -> list[Evidence]:
    text = work.writing.text
    cited = cited_places(text)
    evidence = [
        Evidence(gettext("Words"), f"{work.writing.words}"),
        Evidence(
            gettext("Citations"),
            f"{len(cited)}",
            gettext("{set} distinct passages").format(set=len(set(cited))) if cited else "",
        ),
    ]
    record = getattr(work.writing, "process", None)
    if record is None:
        return [
            *evidence,
            Evidence(gettext("Writing process"), "", gettext("not measured yet."), is_detail=True),
        ]
    if record.fault:
        return [*evidence, Evidence(gettext("Writing process"), "", record.fault, is_detail=True)]
    for row in measured.rows_of(record, measured.others_of(work)):
        parts = [row.unit] if row.unit else []
        if row.standing is not None:
            parts.append(
                gettext("higher than {percentile:.0f}% of {n} others").format(
                    percentile=row.standing.percentile, n=row.standing.n
                )
            )
        evidence.append(Evidence(row.name, row.said, "; ".join(parts), is_detail=True))
    return evidence


def _of_terms_and_log(work: Assignment) -> list[str]:
    return [*map(translated, terms.marks_of(work)), *_flags(work)]


def _flags(work: Assignment) -> list[str]:
    record = getattr(work.writing, "process", None)
    flags = measured.flags_of(record, []) if record else []
    return [
        (
            gettext("{flag}: {value} {unit}, flagged below {limit}")
            if flag.flag.is_low
            else gettext("{flag}: {value} {unit}, flagged from {limit}")
        ).format(
            flag=flag.title,
            value=figure(flag.flag.value),
            unit=flag.flag.unit,
            limit=figure(flag.flag.limit),
        )
        for flag in flags
    ]
