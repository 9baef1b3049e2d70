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
    lede="Competence (MACE) is estimated from agreement with others: evidence, not a verdict. An "
    "unusual opinion lowers it as much as careless reading does. Few votes make it uncertain.",
    tables={
        "machines": Display(
            "Models among the annotators",
            note="This run was asked to count them: gold labels rest on them, too. Agreement, "
            "orders and cost are those of people alone.",
        ),
        "starts": Display(
            "Label stability",
            note="MACE is started again from other values; competence and labels that move are not "
            "known from the votes alone.",
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
