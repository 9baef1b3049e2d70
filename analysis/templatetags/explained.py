"""Explanations below tables: `{% heads_said table.heads %}`, or by titles.

Columns of stored tables have theirs in their declaration (inputs.columns); titles and words that
only templates have are here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.translation import gettext

from analysis.inputs.columns import ALPHA, COLUMNS, HABITS_ALONE
from annotation.texts.sentences import marked

if TYPE_CHECKING:  # they load pandas, and every command loads this: it checks the templates
    from analysis.exports.readable_tables import TableHead
    from analysis.pages.results.run_results import RunResults

register = template.Library()

MEANINGS = {
    "merit": marked(
        "an estimate of how strongly a text is preferred. 0 is the mean of its topic. A text that "
        "is truly 1 ahead of another wins 73 of 100 votes if no tie is allowed; 2 ahead, 88"
    ),
    "grade": marked("the merit as a grade of the topic’s texts: the highest is the best of them"),
    "best-worst score": marked(
        "the share of answers that name a text the best, minus the share that name it the worst: "
        "from −1 to 1"
    ),
    "score": marked("the mean of the answers"),
    "share": marked("the share of answers that have the better label"),
    "Competence": COLUMNS["competence"].meaning,
    "Mean": marked("the mean competence of a worker over all questions"),
    "Lowest to highest": marked("the lowest and the highest competence over the questions"),
    "Of expected agreement": marked(
        "agreement beyond chance: 100% is expected on the same items, 0% is guessing"
    ),
    "Alpha": ALPHA,
    "Alpha with people": marked("Krippendorff’s alpha of the judge with the majority of people"),
    "By habits alone": HABITS_ALONE,
    "Workers and items": marked("the interval for other workers and other items like these"),
    "These raters": marked("the interval for these raters on other topics: they are fewer than 10"),
    "By items": marked("the interval for other items, with these workers"),
    "By workers": marked("the interval for other workers, with these items"),
    "Agreeing votes": marked("how many pairs of votes on the same item say the same"),
    "Ranking (tau\u2011b)": marked("how alike judge and people rank (Kendall’s tau-b)"),
    "Competence-corrected agreement": marked(
        "Krippendorff’s alpha of the votes of competent workers alone, whom a model (MACE) tells "
        "from those who answer by chance"
    ),
    "cross-fitted": marked(
        "who is competent on an item was learned from other items, so that agreement does not "
        "prove itself"
    ),
    "Worth in votes": marked(
        "how many votes of a person a label of the judge is worth; the interval of a judge that "
        "knows nothing ends at 0 and is on the safe side"
    ),
    "Both orders alike": marked("how often the judge answers the same when the sides are changed"),
    "Left side": marked("how often it prefers the text on the left"),
    "Longer text": marked("how often it prefers the longer text"),
    "Not read": marked("the share of its answers that could not be read"),
    "Discarded": marked(
        "the share of items without a label, because the two orders disagree and the question has "
        "no tie, or because a call failed"
    ),
}


@register.inclusion_tag("console/_heads_said.html")
def heads_said(heads: Iterable[TableHead]) -> dict[str, Any]:
    """Explain the columns of a stored table."""
    return {"said": list({head.title: head.meaning for head in heads if head.meaning}.items())}


@register.inclusion_tag("console/_heads_said.html")
def columns_said(*titles: str) -> dict[str, Any]:
    """Explain the columns of a table that a template writes."""
    return {"said": [(title, gettext(MEANINGS[title])) for title in titles]}


@register.inclusion_tag("console/_heads_said.html")
def words_said(*words: str) -> dict[str, Any]:
    """Explain words beside figures."""
    return columns_said(*words) | {"words": True}


@register.inclusion_tag("console/_scores_said.html")
def scores_said(found: RunResults) -> dict[str, Any]:
    """Describe the scores by which groups are compared."""
    names = dict.fromkeys(found.called(measure.key) for measure in found.scored)
    return columns_said(*(name for name in names if name in MEANINGS))
