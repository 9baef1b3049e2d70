"""What heads of columns say: `{% heads_said table.heads %}`, or by their titles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from django import template

from analysis.exports.glossary import says

if TYPE_CHECKING:  # they load pandas, and every command loads this: it checks the templates
    from analysis.exports.readable_tables import TableHead
    from analysis.pages.results.run_results import RunResults

register = template.Library()


@register.inclusion_tag("console/_heads_said.html")
def heads_said(heads: Iterable[TableHead]) -> dict[str, Any]:
    """Of a stored table."""
    return {
        "said": list({head.title: (head.title, head.says) for head in heads if head.says}.values())
    }


@register.inclusion_tag("console/_heads_said.html")
def columns_said(*titles: str, of: str = "") -> dict[str, Any]:
    """Of a table that a template writes, by the titles of its columns."""
    said = [(title, says(title, of=of)) for title in titles]
    return {"said": [(title, sentence) for title, sentence in said if sentence]}


@register.inclusion_tag("console/_heads_said.html")
def words_said(*words: str) -> dict[str, Any]:
    """Of words that stand beside figures."""
    return {"said": [(word, says(word)) for word in words], "words": True}


@register.inclusion_tag("console/_scores_said.html")
def scores_said(found: RunResults) -> dict[str, Any]:
    """Describe the scores by which groups are compared."""
    names = dict.fromkeys(found.called(measure.key) for measure in found.scored)
    return {"said": [(name, sentence) for name in names if (sentence := says(name))]}
