"""The best systems of a study, for its overview: `{% leading_result study %}`."""

from typing import Any

from django import template

from annotation.models import Study

register = template.Library()


@register.inclusion_tag("console/_leading_result.html")
def leading_result(study: Study) -> dict[str, Any]:
    """Show the first figure of the newest finished run; nothing without one."""
    # They load pandas, and every command loads this: it checks the templates.
    from analysis.pages.results.answer_sentences import heading, lead_sentences
    from analysis.pages.results.run_results import RunResults
    from analysis.pages.results.summary import kept_summary

    run = study.runs.newest_finished()
    if run is None:
        return {}
    run.study = study
    found = RunResults(run)
    summary = kept_summary(found)
    return {
        "study": study,
        "summary": summary,
        "heading": heading(summary.answer),
        "lead": lead_sentences(summary.answer, found.percent),
    }
