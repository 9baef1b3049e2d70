"""Presentation of the analysis `origins`."""

from collections.abc import Iterator

from analysis.pages.results.figures import by_question
from analysis.pages.results.presentation.definition import Display, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Reference, forest
from analysis.plots.figure import Figure, figure
from analysis.stats.design_checks import LEAST_UNITS

FEW_TOPICS = f" Intervals need {LEAST_UNITS}."


def figures(found: RunResults) -> Iterator[Figure]:
    tests = {row["test"]: row for row in found.records("origins", "over_all")}
    rows = [tests[key] | {"question": key} for key in found.words.questions if key in tests]
    if rows:
        few = any((row["n"] or 0) < LEAST_UNITS for row in rows)
        yield figure(
            lambda title, width: forest(
                by_question(found, rows, "difference", "n"),
                title=title,
                axis=f"models minus people, in {found.scores_called}",
                references=[Reference(0.0, "no difference")],
                width=width,
                confidence=found.confidence,
            ),
            title="Models minus people",
            caption=f"Mean difference of {found.scores_called} on the same topics; n is the number "
            "of topics." + FEW_TOPICS * few,
        )


PRESENTATION = Presentation(
    analysis="origins",
    part="systems",
    place=1,
    lede="Tests and {percent} CIs are for these participants on new topics.",
    tables={
        "over_all": Display(
            "Over all styles",
            note="Models minus people. q is adjusted for the number of tests (Benjamini and "
            "Hochberg).",
        ),
        "by_style": Display("By style", folded=True),
    },
    figures=figures,
)
