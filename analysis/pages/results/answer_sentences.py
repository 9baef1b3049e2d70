"""Sentences of an answer: its heading, its lead, and the one about more votes."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext, ngettext

from analysis.pages.results.answer import Answer, Estimate, ForestRow
from analysis.stats.verdicts import LEAST_WORKERS, LeadVerdict

STOP = re.compile(r"[:;,.!?](\s|$)")
MOST_LEADERS = 3  # named in the heading


def heading(answer: Answer) -> str:
    """Return the answer in one sentence."""
    if not answer.systems:
        return gettext("This question has no scores to rank by")
    if answer.lead is LeadVerdict.NOT_ENOUGH_DATA:
        return _without_comparison(answer)
    if answer.lead is LeadVerdict.NO_CLEAR_WINNER:
        return _no_winner(answer)
    if answer.lead is LeadVerdict.LEADS:
        return gettext("{best} leads according to these {n} raters (too few to generalise)").format(
            best=called(answer.leaders[0]), n=answer.raters
        )
    if answer.is_preference and answer.first:
        return gettext(
            "Winner: {best}, preferred to {other} in {share} of comparisons without ties"
        ).format(
            best=called(answer.leaders[0]),
            other=called(answer.against),
            share=_percent(answer.first.value),
        )
    return gettext("Winner: {best}").format(best=called(answer.leaders[0]))


def lead_sentences(answer: Answer, percent: str) -> str:
    """Return the numbers behind the heading; percent: the confidence of intervals."""
    if not answer.systems:
        return ""
    if answer.lead is LeadVerdict.NO_CLEAR_WINNER:
        return " ".join(filter(None, [_second(answer, percent), _beaten(answer)]))
    return " ".join(filter(None, [_first(answer, percent), _runner(answer)]))


def more_votes(answer: Answer) -> str:
    """Return which preference an interval of this width shows; '' if that is unknown."""
    if answer.lead is not LeadVerdict.NO_CLEAR_WINNER or answer.shows is None:
        return ""
    return gettext("This study can detect a preference of {share} or more.").format(
        share=_percent(answer.shows)
    )


def raters_needed(answer: Answer) -> int:
    """Return how many more raters an interval for other people needs."""
    return max(0, LEAST_WORKERS - answer.raters) if answer.is_about_these else 0


def _no_winner(answer: Answer) -> str:
    names = answer.leaders
    if len(names) == answer.systems and len(names) > 2:
        return gettext("No clear winner among {n} systems").format(n=len(names))
    if len(names) > MOST_LEADERS:
        return gettext("No clear winner: {first} and {n} others share the lead").format(
            first=called(names[0]), n=len(names) - 1
        )
    return gettext("No clear winner: {names} share the lead").format(
        names=listed([called(name) for name in names])
    )


def _without_comparison(answer: Answer) -> str:
    if answer.systems == 1:
        return gettext("{name}: mean {score} {mean}").format(
            name=called(answer.leaders[0]), score=score_name(answer), mean=_mean(answer)
        )
    return gettext("Not enough data to compare {n} systems").format(n=answer.systems)


def _first(answer: Answer, percent: str) -> str:
    """Return the sentence on the first system over its reference, or on its mean."""
    first = answer.first
    if first is None:
        return ""
    interval = _interval(first, percent, is_share=answer.is_preference)
    if answer.lead is LeadVerdict.NOT_ENOUGH_DATA:
        if answer.systems == 1:
            return f"{interval}." if interval else ""
        return _highest(answer)
    if answer.lead is LeadVerdict.LEADS and answer.is_preference:
        return gettext(
            "Preferred to {other} in {share} of comparisons without ties; for these raters on new "
            "topics, {interval}."
        ).format(other=called(answer.against), share=_percent(first.value), interval=interval)
    if answer.is_preference:
        return f"{interval}." if interval else ""
    mean = gettext("Mean {score} {mean}").format(score=score_name(answer), mean=_mean(answer))
    return f"{mean}, {interval}." if interval else f"{mean}."


def _highest(answer: Answer) -> str:
    """Return the highest mean, and all systems that share it after rounding."""
    names = [called(row.name) for row in answer.rows if row.estimate and _is_equal(row, answer)]
    if len(names) == answer.systems:
        return gettext("All systems have a mean {score} of {mean}.").format(
            score=score_name(answer), mean=_mean(answer)
        )
    if len(names) > 1:
        return gettext("{names} share the highest mean {score}: {mean}.").format(
            names=listed(names), score=score_name(answer), mean=_mean(answer)
        )
    return gettext("Highest mean {score}: {best}, {mean}.").format(
        best=called(answer.leaders[0]), score=score_name(answer), mean=_mean(answer)
    )


def _is_equal(row: ForestRow, answer: Answer) -> bool:
    return row.estimate is not None and number(row.estimate.value) == _mean(answer)


def _runner(answer: Answer) -> str:
    over = answer.over_runner
    if over is None or not answer.runner or answer.lead is LeadVerdict.NOT_ENOUGH_DATA:
        return ""
    sentence = (
        gettext("Preferred to the runner-up, {runner}, in {value} of comparisons ({ends}).")
        if answer.is_preference
        else gettext("Lead over the runner-up, {runner}: {value} ({ends}).")
    )
    return sentence.format(
        runner=called(answer.runner),
        value=_number(over.value, is_share=answer.is_preference),
        ends=_ends(over, is_share=answer.is_preference),
    )


def _second(answer: Answer, percent: str) -> str:
    """Return how the first two leaders compare."""
    over = answer.over_second
    if over is None or len(answer.leaders) < 2:
        return ""
    names = {"first": called(answer.leaders[0]), "second": called(answer.leaders[1])}
    interval = _interval(over, percent, is_share=answer.is_preference)
    if answer.is_preference:
        sentence = gettext(
            "Raters prefer {first} to {second} in {value} of comparisons without ties"
        )
    else:
        sentence = gettext("Mean difference, {first} minus {second}: {value}")
    sentence = sentence.format(value=_number(over.value, is_share=answer.is_preference), **names)
    return f"{sentence}, {interval}." if interval else f"{sentence}."


def _beaten(answer: Answer) -> str:
    if not answer.beat_reference or not answer.reference:
        return ""
    if len(answer.leaders) == 2:
        return gettext("Both clearly beat {name}.").format(name=called(answer.reference_name))
    return gettext("All clearly beat {name}.").format(name=called(answer.reference_name))


def called(name: str) -> str:
    """Return a name as part of a sentence: in quotes if it has a stop of its own."""
    return gettext("“{name}”").format(name=name) if STOP.search(name) else name


def listed(names: Sequence[str]) -> str:
    """Return names as words: A, B and C."""
    if len(names) < 2:
        return "".join(names)
    return gettext("{some} and {last}").format(some=", ".join(names[:-1]), last=names[-1])


def with_interval(estimate: Estimate, percent: str, *, is_share: bool) -> str:
    """Return a value with its interval in parentheses, if it has one."""
    value = shown_value(estimate, is_share=is_share)
    return value + in_parentheses(estimate, percent, is_share=is_share)


def shown_value(estimate: Estimate, *, is_share: bool) -> str:
    """Return the value as a percentage, or with two decimals."""
    return _number(estimate.value, is_share=is_share)


def in_parentheses(estimate: Estimate, percent: str, *, is_share: bool) -> str:
    """Return the interval, with a space before it; '' without one."""
    interval = _interval(estimate, percent, is_share=is_share)
    return f" ({interval})" if interval else ""


def _interval(estimate: Estimate, percent: str, *, is_share: bool) -> str:
    if estimate.low is None or estimate.high is None:
        return ""
    return gettext("{percent} CI {ends}").format(
        percent=percent, ends=_ends(estimate, is_share=is_share)
    )


def _ends(estimate: Estimate, *, is_share: bool) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    ends = [_plain(end, is_share=is_share) for end in (estimate.low, estimate.high)]
    return gettext("{low} to {high}").format(low=ends[0], high=ends[1])


def _mean(answer: Answer) -> str:
    return _plain(answer.first.value, is_share=False) if answer.first else "–"


def score_name(answer: Answer) -> str:
    """Return the name of the score that is compared."""
    return gettext(answer.score) if answer.score else gettext("score")


def _plain(value: float, *, is_share: bool) -> str:
    return f"{100 * value:.0f}" if is_share else number(value)


def number(value: float) -> str:
    """Return a value with two decimals and a proper minus sign."""
    return f"{round(value, 2) + 0:.2f}".replace("-", "−")


def _number(value: float, *, is_share: bool) -> str:
    return _percent(value) if is_share else _plain(value, is_share=False)


def _percent(share: float) -> str:
    return f"{100 * share:.0f}%"


def preferred(estimate: Estimate | None, *, is_share: bool) -> tuple[str, str]:
    """Return the value and the interval as a table has them."""
    if estimate is None:
        return "–", ""
    value = _number(estimate.value, is_share=is_share)
    if estimate.low is None or estimate.high is None:
        return value, ""
    ends = [_plain(end, is_share=is_share) for end in (estimate.low, estimate.high)]
    return value, f"[{ends[0]}, {ends[1]}]"


def questions_line(answers: Sequence[Answer]) -> str:
    """Return on how many questions the system leads that leads most often."""
    leading = [
        answer.leaders[0]
        for answer in answers
        if answer.lead in (LeadVerdict.WINS, LeadVerdict.LEADS)
    ]
    if all(answer.lead is LeadVerdict.NOT_ENOUGH_DATA for answer in answers):
        return gettext("Not enough data on any question")
    if not leading:
        return gettext("No clear winner on any question")
    first = max(dict.fromkeys(leading), key=leading.count)
    return gettext("{best} leads on {k} of {n} questions").format(
        best=called(first), k=leading.count(first), n=len(answers)
    )


def pairs_line(answer: Answer) -> str:
    return ngettext(
        "{clear} of {n} pair of systems differs clearly",
        "{clear} of {n} pairs of systems differ clearly",
        len(answer.pairs),
    ).format(clear=answer.clear, n=len(answer.pairs))
