"""Results of the checks in a questionnaire."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from annotation.models import Assignment
from judging.items.contents import SLOT_MARK
from judging.models import Instrument, ItemRole, Judgment, Presentation
from judging.review.evidence import CheckCounts

WORDS = 6  # a remark with fewer may be anybody's


class ExaminedJudgment(NamedTuple):
    """A judgment for an examination."""

    item: int
    kind: str
    check: int | None
    question: int
    instrument: int
    key: str
    raw: str
    slot: str
    value: str
    milliseconds: int | None
    comment: str


class ExaminedPage(NamedTuple):
    """A page of a questionnaire, with the answers that are right if it is a check."""

    item: int
    instrument: int
    role: str | None  # of a check; judged items have none
    expected: dict[str, str] | None
    comment: str


def said_in_each(works: Iterable[Assignment]) -> dict[int, list[ExaminedJudgment]]:
    """Return all judgments by questionnaire, in the order of their first answers."""
    rows = Judgment.objects.filter(assignment__in=works).order_by("pk").values_list(
        "assignment", "item", "item__kind", "item__check_of", "question", "question__instrument",
        "question__key", "raw", "slot", "value", "milliseconds", "comment",
    )  # fmt: skip
    judgments: dict[int, list[ExaminedJudgment]] = defaultdict(list)
    for assignment, *row in rows:
        judgments[assignment].append(ExaminedJudgment._make(row))
    return judgments


def checks_of(work: Assignment) -> CheckCounts:
    """Return the results of one questionnaire."""
    return checks_of_each([work], said_in_each([work]))[work.pk]


def checks_of_each(
    works: Sequence[Assignment], said: Mapping[int, Sequence[ExaminedJudgment]]
) -> dict[int, CheckCounts]:
    """Return the results of questionnaires of one study; `said` are the judgments of each."""
    pages: dict[int, list[ExaminedPage]] = defaultdict(list)
    rows = Presentation.objects.filter(assignment__in=works).values_list(
        "assignment",
        "item",
        "instrument",
        "item__check_of__role",
        "item__check_of__expected",
        "comment",
    )
    for assignment, *row in rows:
        pages[assignment].append(ExaminedPage._make(row))
    instruments = Instrument.objects.filter(study__in={work.study_id for work in works})
    settings = instruments.values_list("pk", "checked_with")
    least = {pk: checked_with.get("item_seconds", 0) for pk, checked_with in settings}
    return {work.pk: _checks_of(work, said[work.pk], pages[work.pk], least) for work in works}


def _checks_of(
    work: Assignment,
    said: Sequence[ExaminedJudgment],
    pages: Sequence[ExaminedPage],
    least: Mapping[int, float],
) -> CheckCounts:
    answers_by_item: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    times: dict[tuple[int, int], int] = defaultdict(int)
    attention = {page.item for page in pages if page.role == ItemRole.ATTENTION}
    for judgment in said:
        if not judgment.raw:
            continue
        # An attention item is about what is on the screen, a gold item about its texts.
        answer = judgment.raw if judgment.item in attention else judgment.value
        answers_by_item[judgment.item][judgment.key].add(answer)
        if judgment.slot:  # an answer may be known of one part alone
            answers_by_item[judgment.item][f"{judgment.key}{SLOT_MARK}{judgment.slot}"].add(answer)
        place = (judgment.item, judgment.instrument)
        times[place] = max(times[place], judgment.milliseconds or 0)
    return CheckCounts(
        attention=_failed(pages, ItemRole.ATTENTION, answers_by_item),
        gold=_failed(pages, ItemRole.GOLD, answers_by_item),
        quick=_quick(pages, times, least),
        copied=_copied(work, pages, said),
    )


def _failed(
    pages: Iterable[ExaminedPage], role: ItemRole, given: dict[int, dict[str, set[str]]]
) -> tuple[int, int]:
    # Nothing was asked where the writer of a text withdrew it meanwhile.
    checks = {
        page.item: page.expected
        for page in pages
        if page.role == role and page.expected is not None and given.get(page.item)
    }
    passed = [
        all(given[item][question] == {answer} for question, answer in expected.items())
        for item, expected in checks.items()
    ]
    return passed.count(False), len(passed)


def _quick(
    pages: Iterable[ExaminedPage],
    times: Mapping[tuple[int, int], int],
    least: Mapping[int, float],
) -> tuple[int, int]:
    """Return the number of pages below the study's minimum time, and of timed pages."""
    took = [
        (times[page.item, page.instrument], least.get(page.instrument, 0))
        for page in pages
        if page.role is None and times[page.item, page.instrument]
    ]
    limited = [(milliseconds, seconds) for milliseconds, seconds in took if seconds]
    return sum(milliseconds < 1000 * seconds for milliseconds, seconds in limited), len(limited)


def _copied(
    work: Assignment, pages: Iterable[ExaminedPage], said: Iterable[ExaminedJudgment]
) -> tuple[int, int]:
    """Return the number of remarks copied from other workers on the same item, and of long ones."""
    written = [(page.item, page.comment) for page in pages]
    written += [(judgment.item, judgment.comment) for judgment in said]
    mine = [(pk, words) for pk, text in written if (words := _words_of(text))]
    if not mine:
        return 0, 0
    items = {item for item, _ in mine}
    others: set[tuple[int, str]] = set()
    for model in (Presentation, Judgment):
        rows = model.objects.filter(item__in=items, assignment__submitted_at__lt=work.submitted_at)
        rows = rows.exclude(assignment__worker=work.worker_id).exclude(comment="")
        others |= {(pk, _words_of(text)) for pk, text in rows.values_list("item", "comment")}
    return sum(comment in others for comment in mine), len(mine)


def _words_of(text: str) -> str:
    """Return the words alone; '' for a few."""
    words = text.casefold().split()
    return " ".join(words) if len(words) >= WORDS else ""
