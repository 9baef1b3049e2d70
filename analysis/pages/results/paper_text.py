"""Draft paragraph for a paper: votes, finding, method and agreement on one question."""

from collections.abc import Iterator

from django.utils.translation import gettext, ngettext

from analysis.pages.results.answer_sentences import heading, lead_sentences, number
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.summary import RunSummary
from analysis.stats.verdicts import BiasVerdict, LeadVerdict


def paper_sentences(found: RunResults, summary: RunSummary, *, method: str, rate: str) -> list[str]:
    """Return the sentences of the paragraph, or none without votes or systems to compare."""
    if summary.alpha is None or summary.answer.systems < 2:
        return []
    answer, percent = summary.answer, found.percent
    return [
        votes_line(found, summary),
        heading(answer) + ".",
        *filter(None, [lead_sentences(answer, percent)]),
        *_scope(summary),
        gettext("Method: {method}; {pairs} pairs tested together ({rate}).").format(
            method=method, pairs=len(answer.pairs), rate=rate
        )
        if answer.pairs
        else gettext("Method: {method}.").format(method=method),
        _agreement(summary, percent),
        *_bias(summary, percent),
        gettext("Computed with Crowdwright {version}, seed {seed}.").format(
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
        "{question}: {raters}, {votes} votes on {items} item.",
        "{question}: {raters}, {votes} votes on {items} items.",
        items,
    ).format(
        question=summary.question,
        raters=raters,
        votes=f"{int(alpha.get('votes') or 0):,}",
        items=f"{items:,}",
    )


def _scope(summary: RunSummary) -> Iterator[str]:
    if summary.lead is LeadVerdict.NOT_ENOUGH_DATA:
        yield summary.why
    elif summary.is_about_these:
        yield gettext("Intervals are for these raters on new topics.")


def _agreement(summary: RunSummary, percent: str) -> str:
    alpha = summary.alpha or {}
    value = number(alpha["value"])
    if alpha.get("low") is None:
        return gettext("Krippendorff's alpha is {value}.").format(value=value)
    return gettext("Krippendorff's alpha is {value}, {percent} CI {low} to {high}.").format(
        value=value, percent=percent, low=number(alpha["low"]), high=number(alpha["high"])
    )


def _bias(summary: RunSummary, percent: str) -> Iterator[str]:
    bias = summary.bias
    if bias is None or bias.verdict is not BiasVerdict.FOUND:
        return
    sentence = (
        gettext("Between equal texts, the left one gets {share} of votes, {percent} CI {ends}.")
        if bias.is_left
        else gettext(
            "Between equal texts, the right one gets {share} of votes, {percent} CI {ends}."
        )
    )
    yield sentence.format(share=bias.percent, percent=percent, ends=bias.ends)
