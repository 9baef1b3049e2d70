"""Presentation of the analysis `competence`."""

from collections.abc import Iterator

from analysis.pages.results.figures import competence_figure
from analysis.pages.results.pages.workers import worker_rows, workers_context
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure
from analysis.stats.agreement.spam_filter import KeepRule


def figures(found: RunResults) -> Iterator[Figure]:
    rule = KeepRule(**found.parameters["keep"])
    cut = None if rule.most_spam is None else 1 - rule.most_spam
    if drawn := competence_figure(worker_rows(found), cut=cut):
        yield drawn


PRESENTATION = Presentation(
    analysis="competence",
    part="workers",
    lede="MACE estimates competence from agreement with others. Unusual opinions lower it as "
    "much as careless reading, and few votes make it uncertain.",
    tables={
        "machines": Display(
            "LLM judges among the annotators",
            note=(
                "Gold labels of this run include LLM judges. Agreement, order effects and cost "
                "cover people only."
            ),
        ),
        "starts": Display(
            "Label stability",
            note=(
                "MACE was started several times. Competences and labels that change between "
                "starts are uncertain."
            ),
        ),
        "competence": None,
        "gold": None,
        "fit": None,
    },
    figures=figures,
    panel=Panel(
        above="console/_workers_figures.html",
        below="console/_workers.html",
        context=workers_context,
    ),
)
