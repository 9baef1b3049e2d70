"""Details below the answer: one line each, which opens the proof or links to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from analysis.analyses.agreement import BOTH
from analysis.inputs.decided_votes import decided_pairs
from analysis.pages.results.answer_sentences import (
    called,
    heading,
    lead_sentences,
    more_votes,
    number,
    pairs_line,
    preferred,
    questions_line,
    raters_needed,
)
from analysis.pages.results.best_groups import rate_of
from analysis.pages.results.paper_text import paper_sentences
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.summary import RunSummary, answers_of
from analysis.pages.results.topic_winners import TopicWinners, topic_winners
from analysis.pages.results.uncounted_work import Uncounted
from analysis.pages.results.writing_summary import WritingSummary
from analysis.stats.verdicts import LEAST_WORKERS, LeadVerdict
from annotation.texts.number_formats import money, percentage

MOST_ROWS = 15  # of a table in a fold; the page of the part has all


@dataclass(frozen=True)
class Detail:
    """Line of a detail: it opens `template`, or else links to the page of `part`."""

    key: str
    title: str
    line: str
    template: str = ""
    part: str = ""
    rows: Any = ()


def shown_answer(
    found: RunResults, summary: RunSummary, winners: TopicWinners | None = None
) -> dict[str, Any]:
    """Return the sentences and the rows of the plot of an answer."""
    answer = summary.answer
    won = winners.won if winners else {}
    rows = [
        (
            row,
            *preferred(row.estimate, is_share=answer.is_preference),
            won.get(row.group, 0),
        )
        for row in answer.rows
    ]
    return {
        "heading": heading(answer),
        "lead": lead_sentences(answer, found.percent),
        "more_votes": more_votes(answer),
        "raters_needed": raters_needed(answer),
        "least_raters": LEAST_WORKERS,
        "forest": rows,
        "rate": rate_of(summary.pairs),
        "won": bool(winners and winners.topics),
        "topics": len(winners.topics) if winners else 0,
        "tied": winners.tied if winners else 0,
    }


def details_of(
    found: RunResults,
    summary: RunSummary,
    *,
    missing: list[str],
    needs: str,
    uncounted: Uncounted,
    written: WritingSummary | None = None,
) -> list[Detail]:
    """Return the details of the summary that have something to show."""
    return [
        *_paper(found, summary),
        *_texts(written),
        *_systems(found, summary),
        *_raters(found, summary),
        *_money(found, summary),
        *_remarks(summary, missing, needs, uncounted),
        *_decided(found),
        Detail("method", gettext("Method and seed"), _method(found), "console/_record.html"),
    ]


def _paper(found: RunResults, summary: RunSummary) -> Iterator[Detail]:
    sentences = paper_sentences(
        found, summary, method=_method_name(found), rate=rate_of(summary.pairs)
    )
    if sentences:
        title, template = gettext("For your paper"), "console/_detail_paper.html"
        yield Detail("paper", title, sentences[0], template, rows=sentences)


def _texts(written: WritingSummary | None) -> Iterator[Detail]:
    if written is not None and written.facts:
        line = gettext("All measures, by style")
        yield Detail("texts", gettext("Texts"), line, part="texts")


def _systems(found: RunResults, summary: RunSummary) -> Iterator[Detail]:
    answer = summary.answer
    answers = answers_of(found)
    if len(answers) > 1:
        yield Detail(
            "questions",
            gettext("Questions"),
            questions_line(answers),
            "console/_detail_questions.html",
            rows=[
                (
                    each,
                    *preferred(each.first, is_share=each.is_preference),
                    each.lead not in (LeadVerdict.WINS, LeadVerdict.LEADS),
                )
                for each in answers
            ],
        )
    if len(answer.pairs) > 1:
        rows = [
            (first, other, *preferred(estimate, is_share=answer.is_preference), is_clear)
            for first, other, estimate, is_clear in answer.pairs[:MOST_ROWS]
        ]
        title = gettext("Head to head")
        yield Detail(
            "pairs", title, pairs_line(answer), "console/_detail_pairs.html", "systems", rows
        )
    if answer.rows and answer.systems > 1:
        winners = topic_winners(found, answer.question)
        first = next((row for row in answer.rows if row.is_best), answer.rows[0])
        if winners.topics:
            line = gettext("{won} of {n} won by {best}").format(
                best=called(answer.leaders[0]), won=winners.won[first.group], n=len(winners.topics)
            )
            if winners.tied:
                line += ", " + gettext("{n} tied").format(n=winners.tied)
            lost = [
                (query, found.words.of_group(winner), found.pages["topic"].format(key))
                for key, query, winner in winners.lost_by(first.group)[:MOST_ROWS]
            ]
            template = "console/_detail_topics.html"
            yield Detail("topics", gettext("Topics"), line, template, "responses", lost)


def _raters(found: RunResults, summary: RunSummary) -> Iterator[Detail]:
    spread = summary.spread
    if summary.workers and spread.median is not None:
        line = gettext("Median competence: {median}").format(median=f"{spread.median:.2f}")
        if spread.compared:
            line += "; " + gettext("{flagged} of {n} flagged").format(
                flagged=spread.flagged, n=summary.workers
            )
        title = gettext("Raters") if found.run.pool != "people" else gettext("Participants")
        yield Detail("raters", title, line, part="workers")
    if summary.corrected:
        line = corrected_line(summary.corrected, found.percent)
        yield Detail("agreement", gettext("Agreement"), line, part="agreement")
    for judge in summary.judges:
        lines = []
        if judge.share_flipped is not None:
            lines.append(
                gettext("{share} of labels change with the order").format(
                    share=percentage(judge.share_flipped)
                )
            )
        if judge.discarded:
            lines.append(
                gettext("{n} of {labels} labels discarded").format(
                    n=f"{judge.discarded:,}", labels=f"{judge.labels:,}"
                )
            )
        line = "; ".join(lines) or gettext("Items shown in one order only")
        yield Detail("judge", judge.judge, line, part="judges")


def corrected_line(row: dict[str, Any], percent: str) -> str:
    """Return the agreement of competent raters with its interval and number of items."""
    items = int(row["items"] if row.get("alpha_items") is None else row["alpha_items"])
    line = gettext("Alpha among competent raters: {value}").format(value=number(row["value"]))
    if row["low"] is not None:
        line += ", " + _interval(row, percent)
    if row["low"] is not None and row.get("interval_over") != BOTH:
        line += " " + gettext("for these raters")
    return f"{line}, " + ngettext("{n} item", "{n} items", items).format(n=f"{items:,}")


def _interval(row: dict[str, Any], percent: str) -> str:
    return gettext("{percent} CI {low} to {high}").format(
        percent=percent, low=number(row["low"]), high=number(row["high"])
    )


def _money(found: RunResults, summary: RunSummary) -> Iterator[Detail]:
    wage = summary.wage
    if wage is None:
        return
    line = gettext("{wage} an hour").format(wage=money(wage["value"], found.run.study.currency))
    if wage["target"]:
        line += ", " + gettext("target {target}").format(target=f"{wage['target']:.2f}")
    if wage["low"] is not None:
        line += ", " + _interval(wage, found.percent)
    yield Detail("wage", gettext("Cost and pay"), line, part="cost")


def _remarks(
    summary: RunSummary, missing: list[str], needs: str, uncounted: Uncounted
) -> Iterator[Detail]:
    if summary.warnings:
        n = len(summary.warnings)
        title = ngettext("Warning", "{n} warnings", n).format(n=n)
        yield Detail("warnings", title, summary.warnings[0], "console/_detail_list.html",
                     rows=summary.warnings)  # fmt: skip
    if uncounted.parts:
        works = sum(part.works for part in uncounted.parts)
        line = ngettext("{n} submission", "{n} submissions", works).format(n=works)
        yield Detail("uncounted", uncounted.heading, line, "console/_uncounted.html")
    if missing:
        n = len(missing)
        line = needs or ngettext("{n} result missing", "{n} results missing", n).format(n=n)
        template = "console/_detail_list.html"
        yield Detail("missing", gettext("Not computed"), line, template, rows=missing)


def _decided(found: RunResults) -> Iterator[Detail]:
    """Return a note on the pairs that were decided without participants."""
    if pairs := decided_pairs(found.run):
        ties = sum(pair.winner == "tie" for pair in pairs)
        lines = (
            ngettext("{n:,} pair", "{n:,} pairs", len(pairs)).format(n=len(pairs)),
            gettext(
                "Empty answers count as losses without being shown; two empty answers tie "
                "({ties:,}). These pairs count only in rankings and wins."
            ).format(ties=ties),
        )
        title, template = gettext("Decided without participants"), "console/_detail_list.html"
        yield Detail("decided", title, lines[0], template, rows=lines[1:])


def _method(found: RunResults) -> str:
    run = found.run
    return gettext("{method}, seed {seed}, code {version}, input {digest}").format(
        method=_method_name(found), seed=run.seed, version=run.version, digest=run.digest[:8]
    )


def _method_name(found: RunResults) -> str:
    if found.run.compat:
        return gettext("As published (Gienapp et al. 2025)")
    if any(found.called(measure.key) == "strength" for measure in found.scored):
        return str(found.said["ties"]).rstrip(",")
    return gettext("Means")
