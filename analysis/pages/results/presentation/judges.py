"""Presentation of the analysis `judges`."""

from collections.abc import Iterator

from analysis.pages.results.pages.judges import CEILING, judges_context
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import Estimate
from analysis.plots.agreement import agreement as plotted
from analysis.plots.figure import Figure, figure


def figures(found: RunResults) -> Iterator[Figure]:
    rows = found.records("judges", "agreement")
    ceiling = found.records("judges", "ceiling")
    if not rows:
        return
    estimates = [
        Estimate(
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
            null_name="what the judge reaches by its habits alone",
        ),
        title="Judges beside people",
        caption="Krippendorff’s alpha between a judge and the majority of people, in one "
        "orientation, and what people reach among themselves; n is the number of items.",
    )  # fmt: skip


PRESENTATION = Presentation(
    analysis="judges",
    part="judges",
    lede="Each judge is compared with the majority of people, each direction of a pair apart; "
    "no number includes the agreement of people, or of the judge, with themselves. Brackets hold "
    "{percent} intervals for other topics and other people.",
    tables={
        "agreement": Display(
            "Judges against the majority of people",
            hidden=("p", "p_over_person"),
            folded=True,
        ),
        "ceiling": Display("People against people", folded=True),
        "habits": Display("Habits of the judges", hidden=("p",), folded=True),
        "systems": Display(
            "Preference for systems",
            folded=True,
            note="The interval of the difference is conservative for a judge that copies the "
            "labels of these people, because it shares their preferences.",
        ),
        "parts": Display("Agreement by system, style and length", folded=True),
        "confusion": Display("Labels of the judge and of people", folded=True),
        "ranking": Display("Ranking by the judge and by people", folded=True),
        "places": Display("Ranks of the systems", folded=True),
        "worth": Display(
            "What a label is worth",
            folded=True,
            note="“At least”: the interval has no upper end. For a judge no better than chance it "
            "ends at 0, the least that a label can be worth, and is conservative.",
        ),
        "replacement": Display(
            "Alternative annotator test",
            folded=True,
            note="The test of Calderon, Reichart and Dror (2025), with topics as the units. Choose "
            "the row of the people who judged; ω and “passes” say nothing of people elsewhere. "
            "“Passes” takes all judges beside the same people together (Holm).",
        ),
        "likeness": Display(
            "Participants who vote like the judge",
            folded=True,
            note="Evidence, not a verdict: q up to .05 is rare among honest participants, but a "
            "participant with the same taste as the judge can reach it. Compared are the same "
            "votes on common items, 15 or more, with those of two independent participants. With "
            "about 30 common items, half of the copies are missed.",
        ),
        "powered": Display(
            "Scores from people and the judge together",
            folded=True,
            note="Unbiased if people judged a random sample of the topics, or of the items of each "
            "topic.",
        ),
    },
    figures=figures,
    panel=Panel(above="console/_judges.html", context=judges_context),
)
