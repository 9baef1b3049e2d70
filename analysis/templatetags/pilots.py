"""Results of a pilot for the page with its lessons."""

from typing import Any

from django import template

from analysis.inputs.settings import PEOPLE, confidence_of
from annotation.models import Study

register = template.Library()


@register.simple_tag
def agreement_so_far(study: Study, votes: int) -> list[dict[str, Any]]:
    """Return each question's alpha in the newest run, and its meaning for a mean of `votes`.

    Empty if there is no analysis.
    """
    from analysis.inputs.measures import measures_of
    from analysis.pages.results.findings_json import alpha_of
    from analysis.plots.text_fitting import percent
    from analysis.runs.findings import tables  # pandas takes a second
    from analysis.stats.agreement.alpha import spearman_brown

    run = study.runs.newest_finished(PEOPLE)
    if run is None:
        return []
    titles = {measure.key: measure.title for measure in measures_of(study)}
    alpha_cells = alpha_of(tables(run, "agreement", "agreement"))
    return [
        {
            "question": titles.get(question, question),
            "alpha": cell["value"],
            "low": cell["low"],
            "high": cell["high"],
            "percent": percent(confidence_of(run.parameters)),
            "reliability": spearman_brown(cell["value"], votes),
        }
        for question, cell in alpha_cells.items()
        if cell["value"] is not None
    ]
