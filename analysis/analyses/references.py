"""Would BLEU or ROUGE against the best text of a topic have ranked the others alike?"""

from collections.abc import Iterator

from analysis.analyses.described import COUNT, SD, Analysis, Display, N, Reads
from analysis.analyses.texts import UNDEFINED, without_interval
from analysis.inputs.asked import Asked, Tables, table, table_of
from analysis.inputs.scores import is_scored
from analysis.pages.results.figures import Figure, figure
from analysis.pages.results.found import Found
from analysis.plots import Estimate, Reference, forest
from analysis.stats.text.references import reference_based


def references(asked: Asked) -> Tables:
    """BLEU and ROUGE-L against the best response of a topic, correlated with the scores."""
    assert asked.texts is not None  # Reads.SCORED_TEXTS brings them
    scores = asked.frame.rename(columns={"question": "dimension", "value": "grade"})
    found = reference_based(
        asked.texts[["response", "topic", "text"]],
        scores[["response", "dimension", "grade"]],
        bootstrap=asked.bootstrap,
    )
    tables = {"references": table(found.frame)}
    return tables | {"undefined": table_of(UNDEFINED, list(without_interval(tables)))}


def figures(found: Found) -> Iterator[Figure]:
    rows = [
        row
        for row in found.records("references", "references")
        if row["comparison"] == "full" and row["value"] is not None
    ]
    drawn = [
        Estimate(
            found.words.of(row["measure"]), row["value"], row["low"], row["high"], int(row["n"]),
            found.words.of(row["dimension"]),
        )
        for row in rows
    ]  # fmt: skip
    if drawn:
        yield figure(
            lambda title, width: forest(
                drawn,
                title=title,
                axis=f"Spearman’s rho with the {found.scores_called}",
                references=[Reference(0.0, "no relation")],
                possible=(-1.0, 1.0),
                width=width,
                confidence=found.confidence,
            ),
            title="Measures against the best text",
            caption="Mean over topics, with its interval over topics; n is the number of topics.",
        )


ANALYSIS = Analysis(
    name="references",
    title="Measures against a reference",
    answers="Would BLEU or ROUGE against the best text of a topic have ranked the others alike?",
    assumes="The best-graded text is a fair reference.",
    reads=Reads.SCORED_TEXTS,
    applies=is_scored,
    function=references,
    part="texts",
    place=2,
    columns={
        "sd": SD,
        "n": N,
        "topics": COUNT,
    },
    tables={
        "references": Display("BLEU and ROUGE-L against the best text", folded=True),
    },
    figures=figures,
)
