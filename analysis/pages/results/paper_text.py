"""Draft paragraph for a paper: votes, finding, method and agreement on one question."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext

from analysis.pages.results.answer import Answer, Estimate
from analysis.pages.results.answer_sentences import (
    called,
    heading,
    in_parentheses,
    lead_sentences,
    score_name,
    shown_value,
    with_interval,
)
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.summary import RunSummary
from analysis.stats.verdicts import BiasVerdict, LeadVerdict


def paper_sentences(found: RunResults, summary: RunSummary, *, method: str, rate: str) -> list[str]:
    """Return the sentences of the paragraph, or none without votes or systems to compare."""
    if summary.alpha is None or summary.answer.systems < 2:
        return []
    percent, pairs = found.percent, len(summary.answer.pairs)
    return [
        votes_line(found, summary),
        *_finding(found, summary.answer),
        *_scope(summary),
        gettext("Method: {method}; {pairs} pairs tested together ({rate}).").format(
            method=method, pairs=pairs, rate=rate
        )
        if pairs > 1
        else gettext("Method: {method}.").format(method=method),
        _agreement(summary, percent),
        *_bias(summary, percent),
        gettext("Computed with Crowdwright {version} (seed {seed}).").format(
            version=found.run.version, seed=found.run.seed
        ),
    ]


def votes_line(found: RunResults, summary: RunSummary) -> str:
    """Return a sentence with the raters and the numbers of votes and items."""
    alpha = summary.alpha or {}
    people = summary.answer.raters or summary.workers
    raters = (
        ngettext("{n} participant", "{n} participants", people)
        if found.run.pool == "people"
        else ngettext("{n} rater", "{n} raters", people)
    ).format(n=f"{people:,}")
    items = int(alpha.get("items") or 0)
    return ngettext(
        "On “{question}”, {raters} cast {votes} votes on {items} item.",
        "On “{question}”, {raters} cast {votes} votes on {items} items.",
        items,
    ).format(
        question=summary.question,
        raters=raters,
        votes=f"{int(alpha.get('votes') or 0):,}",
        items=f"{items:,}",
    )


def _finding(found: RunResults, answer: Answer) -> Iterator[str]:
    percent = found.percent
    if answer.lead not in (LeadVerdict.WINS, LeadVerdict.LEADS) or not answer.first:
        yield heading(answer) + "."
        yield from filter(None, [lead_sentences(answer, percent)])
        return
    over = answer.over_runner if answer.runner else None
    words = {
        "best": called(answer.leaders[0]),
        "other": called(answer.against),
        "runner": called(answer.runner),
        "score": score_name(answer),
        "value": shown_value(answer.first, is_share=answer.is_preference),
        "scale": _scale(found, answer),
        "interval": in_parentheses(answer.first, percent, is_share=answer.is_preference),
        "lead": over and with_interval(over, percent, is_share=answer.is_preference),
    }
    if answer.is_preference and over and answer.runner != answer.against:
        sentence = gettext(
            "Raters preferred {best} to {other} in an estimated {value} of comparisons "
            "without ties{interval}, and to the runner-up, {runner}, in {lead}."
        )
    elif answer.is_preference:
        sentence = gettext(
            "Raters preferred {best} to {other} in an estimated {value} of comparisons "
            "without ties{interval}."
        )
    elif over:
        sentence = gettext(
            "{best} had the highest mean {score}, {value}{scale}{interval}; its lead over the "
            "runner-up, {runner}, was {lead}."
        )
    else:
        sentence = gettext("{best} had the highest mean {score}, {value}{scale}{interval}.")
    yield sentence.format(**words)


def _scale(found: RunResults, answer: Answer) -> str:
    ends = None if answer.is_preference else found.ends(answer.question)
    if ends is None:
        return ""
    low, high = (f"{end:g}".replace("-", "−") for end in ends)
    return gettext(" on a scale from {low} to {high}").format(low=low, high=high)


def _scope(summary: RunSummary) -> Iterator[str]:
    if summary.lead is LeadVerdict.NOT_ENOUGH_DATA:
        yield summary.why
    elif summary.is_about_these:
        yield gettext("Intervals are for these raters on new topics.")


def _agreement(summary: RunSummary, percent: str) -> str:
    alpha = summary.alpha or {}
    value = Estimate(alpha["value"], alpha.get("low"), alpha.get("high"))
    return gettext("Krippendorff's alpha was {value}.").format(
        value=with_interval(value, percent, is_share=False)
    )


def _bias(summary: RunSummary, percent: str) -> Iterator[str]:
    bias = summary.bias
    if bias is None or bias.verdict is not BiasVerdict.FOUND:
        return
    sentence = (
        gettext("Of two equal texts, the left one received {share} of votes ({percent} CI {ends}).")
        if bias.is_left
        else gettext(
            "Of two equal texts, the right one received {share} of votes ({percent} CI {ends})."
        )
    )
    yield sentence.format(share=bias.percent, percent=percent, ends=bias.ends)
