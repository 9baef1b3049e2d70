"""Presentation of the analysis `judges`."""

from collections.abc import Iterator

from analysis.pages.results.pages.judges import CEILING, judges_context
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate
from analysis.plots.agreement import agreement as plotted
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("judges", "agreement")
    ceiling = found.records("judges", "ceiling")
    if not rows:
        return
    estimates = [
        ForestEstimate(
            CEILING.get(row.get("against"), row.get("judge", "")),
            row["alpha"],
            row["alpha_low"],
            row["alpha_high"],
            int(row["items"]),
            found.words.of(row["question"]),
            row.get("null_low"),
            row.get("null_high"),
        )
        for question in dict.fromkeys(row["question"] for row in rows)
        for row in (*rows, *ceiling)
        if row["question"] == question and row["alpha"] is not None
    ]
    yield figure(
        lambda title, width: plotted(
            estimates, title=title, width=width, confidence=found.confidence,
            null_name="baseline: the judge's labels, shuffled",
        ),
        title="Judges and people",
        caption="Krippendorff's alpha of each judge with the majority of people, and of people"
                " with each other; n is the number of items.",
    )  # fmt: skip


PRESENTATION = Presentation(
    analysis="judges",
    part="judges",
    lede="Each judge is compared with the majority of people, each direction of a pair "
    "separately. Brackets: {percent} CIs for new topics and people.",
    tables={
        "agreement": Display(
            "Judges and the majority of people",
            hidden=("p", "p_over_person"),
            folded=True,
        ),
        "ceiling": Display("Agreement among people", folded=True),
        "habits": Display("Habits of the judges", hidden=("p",), folded=True),
        "systems": Display(
            "Preferred systems",
            folded=True,
            note="Intervals are conservative for judges that copy these people's labels.",
        ),
        "parts": Display("Agreement by system, style and length", folded=True),
        "confusion": Display("Labels of judge and people", folded=True),
        "ranking": Display("Rankings by judge and people", folded=True),
        "places": Display("Ranks of the systems", folded=True),
        "worth": Display(
            "Worth of a label",
            folded=True,
            note=(
                "“At least”: the interval has no upper end. Intervals are conservative for judges "
                "near chance."
            ),
        ),
        "replacement": Display(
            "Alternative annotator test",
            folded=True,
            note="Test of Calderon, Reichart and Dror (2025) with topics as units. ω and "
            "“passes” hold for these people only; “passes” is adjusted for all judges "
            "(Holm).",
        ),
        "likeness": Display(
            "Participants who vote like the judge",
            folded=True,
            note="Evidence, not a verdict: a participant with the judge's taste can also reach"
            " q ≤ .05. Needs 15 common items; with about 30, half of the copies are "
            "missed.",
        ),
        "powered": Display(
            "Scores from people and judge together",
            folded=True,
            note="Unbiased if people judged a random sample of topics, or of items in each topic.",
        ),
    },
    figures=figures,
    panel=Panel(above="console/_judges.html", context=judges_context),
)
