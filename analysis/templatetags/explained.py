"""Explanations below tables: `{% heads_said table.heads %}`, or by titles.

Columns of stored tables have theirs in their declaration (inputs.columns); titles and words that
only templates have are here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext

from analysis.inputs.columns import ALPHA, COLUMNS, HABITS_ALONE
from annotation.texts.sentences import marked

if TYPE_CHECKING:  # they load pandas, and every command loads this: it checks the templates
    from analysis.exports.readable_tables import TableHead
    from analysis.pages.results.run_results import RunResults

register = template.Library()

SCORES = ("strength", "grade", "best-worst score", "score", "share")  # also within sentences
MEANINGS = {
    "strength": marked(
        "how strongly a text is preferred (Bradley-Terry). 0: mean of its topic; 1 ahead: 73% "
        "of votes without ties; 2 ahead: 88%"
    ),
    "grade": marked("rank of a text in its topic; higher is better"),
    "best-worst score": marked("share of votes as the best minus share as the worst: −1 to 1"),
    "score": marked("mean of the ratings"),
    "share": marked("share of votes for the better label"),
    "Group": marked("systems that share a letter don't differ clearly (all pairs tested together)"),
    "Preferred": marked(
        "share of comparisons won against the reference without ties (Bradley-Terry)"
    ),
    "CI": marked(
        "confidence interval for new participants and topics; dotted: these participants, new "
        "topics; as published: new topics only"
    ),
    "Position bias": marked(
        "share of votes for the favoured side if texts are equal. None found: the interval "
        "includes 50% and stays within 45 to 55%"
    ),
    "alpha": ALPHA,
    "flagged": marked(
        "participants with lower agreement than expected on the same items (false discovery "
        "rate 5%)"
    ),
    "Competence": COLUMNS["competence"].meaning,
    "Mean": marked("mean competence over all questions"),
    "Lowest to highest": marked("range across questions"),
    "Agreement vs. expected": marked(
        "100% is the agreement expected on the same items, 0% is guessing"
    ),
    "Alpha": ALPHA,
    "Alpha with people": marked(
        "Krippendorff's alpha between the judge and the majority of people"
    ),
    "Baseline": HABITS_ALONE,
    "Participants and items": marked("interval for new participants and new items"),
    "These raters": marked("interval for these raters (fewer than 10) on new topics"),
    "By items": marked("interval for new items rated by the same participants"),
    "By participants": marked("interval for new participants rating the same items"),
    "Agreeing votes": marked("share of vote pairs on the same item that agree"),
    "Ranking (tau\u2011b)": marked(
        "agreement between the judge's and people's rankings (Kendall's tau-b)"
    ),
    "Competence-corrected agreement": marked(
        "Krippendorff's alpha of competent participants only (MACE)"
    ),
    "cross-fitted": marked("competence on an item is estimated from other items"),
    "Worth in votes": marked("human votes that one label replaces; conservative interval"),
    "Same in both orders": marked("share of items with the same label in both orders"),
    "Left side": marked("share of labels that prefer the left text"),
    "Longer text": marked("share of labels that prefer the longer text"),
    "Unreadable": marked("share of replies that could not be parsed"),
    "Discarded": marked(
        "items left unlabelled: a call failed, or the two orders gave different labels and ties "
        "aren't offered"
    ),
}


@register.simple_tag
def term(word: str, title: str = "") -> SafeString | str:
    """Return a term, perhaps with another title, that shows its definition on request."""
    shown = title or gettext(word)
    if word not in MEANINGS:
        return shown
    name = f"term-{slugify(word)}"
    return format_html(
        '<button type="button" class="term" popovertarget="{0}">{1}</button>'
        '<span popover id="{0}" class="definition"><strong>{1}</strong>: {2}.</span>',
        name,
        shown[:1].upper() + shown[1:] if word in SCORES else shown,
        gettext(MEANINGS[word]),
    )


@register.inclusion_tag("console/_heads_said.html")
def heads_said(heads: Iterable[TableHead], note: str = "") -> dict[str, Any]:
    """Explain the columns of a stored table, below its note."""
    meanings = {head.title: head.meaning for head in heads if head.meaning}
    return {"said": list(meanings.items()), "note": note}


@register.inclusion_tag("console/_heads_said.html")
def columns_said(*titles: str) -> dict[str, Any]:
    """Explain the columns of a table that a template writes."""
    return {"said": [(title, gettext(MEANINGS[title])) for title in titles]}


@register.inclusion_tag("console/_scores_said.html")
def scores_said(found: RunResults) -> dict[str, Any]:
    """Describe the scores by which groups are compared."""
    names = dict.fromkeys(found.called(measure.key) for measure in found.scored)
    return columns_said(*(name for name in names if name in MEANINGS))
