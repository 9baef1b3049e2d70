"""What score does each response get on average?"""

from analysis.analyses.described import SD, TWO_DIGITS, Analysis, N, Panel, Reads, to_scores
from analysis.inputs.asked import Asked, Tables, table
from analysis.pages.results.figures import system_figures
from analysis.pages.results.pages.topics import scored_context
from analysis.stats.effects.means import mean_scores


def means(asked: Asked) -> Tables:
    """The mean score of each item, with its interval and n."""
    result = mean_scores(asked.counted, confidence=asked.confidence)
    return {"means": table(result.frame[["item", "mean", "low", "high", "n", "sd"]])}


ANALYSIS = Analysis(
    name="means",
    title="Mean scores",
    answers="What score does each response get on average?",
    assumes="The options of the scale are equally far apart.",
    reads=Reads.VOTES,
    applies=to_scores,
    function=means,
    part="responses",
    place=1,
    lede="Mean score with its {percent} t interval; n is the number of answers. Means of systems "
    "and styles have, where it could be computed, the interval for {drawn}, and those that share a "
    "letter do not differ clearly.",
    columns={
        "mean": TWO_DIGITS,
        "n": N,
        "sd": SD,
    },
    tables={
        "means": None,
    },
    figures=system_figures,
    panel=Panel(below="console/_scores.html", context=scored_context),
)
