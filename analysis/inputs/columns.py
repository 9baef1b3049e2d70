"""Columns of the tables that analyses return: title, form, meaning and interval, declared once.

Pages, LaTeX files and the explanations below a table read them; the key is the header of a CSV
file. Columns and meanings that several analyses share are here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from annotation.texts.sentences import marked


class NumberFormat(StrEnum):
    """Form of the numbers of a column."""

    THREE = "three decimals"
    TWO = "two decimals"
    WHOLE = "whole"  # a number that is not keeps its decimals
    ROUNDED = "rounded to a whole number"
    SHARE = "in per cent"
    CHANCE = "a p-value"


@dataclass(frozen=True)
class Column:
    """Declaration of a column; the title is by default the key.

    meaning: the explanation below a table; '' for titles that explain themselves.
    interval: the keys of both ends, shown in brackets behind the column, in its form; title and
    meaning are those of the first end, by default the confidence.
    hidden: whether the column is only in files.
    """

    title: str = ""
    form: NumberFormat = NumberFormat.THREE
    meaning: str = ""
    interval: tuple[str, str] | None = None
    hidden: bool = False


INTERVAL = ("low", "high")
ENDS = Column(
    meaning=marked("the share of studies like this in which such an interval holds the truth")
)
# What every row says alike, or the record of the run tells.
HIDDEN = Column(hidden=True)
COUNT = Column(form=NumberFormat.WHOLE)
TWO_DIGITS = Column(form=NumberFormat.TWO)
SHARE = Column(form=NumberFormat.SHARE)
P = Column(
    "p",
    NumberFormat.CHANCE,
    marked("how often chance alone would give as much, were there nothing to find"),
)
SD = Column(
    "SD", meaning=marked("the standard deviation: how far single values lie around their mean")
)
TAU = Column(
    "Kendall’s tau-b",
    meaning=marked("how alike two rankings are: 1 the same, 0 unrelated, −1 the other way round"),
    interval=INTERVAL,
)
N = Column("n", COUNT.form, marked("how many topics, items, texts or answers the number rests on"))
# Columns by key, for every analysis that declares no other of that key.
COLUMNS: Mapping[str, Column] = {
    **dict.fromkeys(
        ("items", "labels", "raters", "responses", "topics", "votes", "workers"), COUNT
    ),
    **dict.fromkeys(("draws", "tournaments"), HIDDEN),
    "about": Column(
        "For",
        meaning=marked(
            "the raters that the interval is about: these raters on other topics (with fewer than "
            "10), or raters like these"
        ),
    ),
    "compared": Column(form=COUNT.form, meaning=marked("how many comparisons the text is in")),
    "competence": Column(
        meaning=marked(
            "how likely a worker answers from knowledge and not by chance (MACE): 0 is chance, 1 "
            "is always"
        ),
        interval=INTERVAL,
    ),
    "difference": Column(
        form=TWO_DIGITS.form, meaning=marked("the first minus the second"), interval=INTERVAL
    ),
    "mean": Column(form=TWO_DIGITS.form, interval=INTERVAL),
    "median": Column(form=TWO_DIGITS.form, interval=INTERVAL),
    "merit": Column(form=TWO_DIGITS.form, interval=("merit_low", "merit_high")),
    "n": N,
    "over": Column(
        meaning=marked(
            "what was drawn again for the interval: other topics, other workers, or both"
        )
    ),
    "p": P,
    "p_adjusted": Column(
        "Adjusted p",
        P.form,
        marked(
            "p of all pairs of the question taken together: at .05, a study of equal systems finds "
            "any difference in 5% of cases (family-wise error, max-t)"
        ),
    ),
    "q": Column(
        "q",
        P.form,
        marked("p, corrected for the number of tests in its family (false discovery rate)"),
    ),
    "sd": SD,
    "statistic": Column(meaning=marked("the statistic of the test")),
    "tau": TAU,
    "units": COUNT,
    "value": Column(interval=INTERVAL),
    "why": Column("No interval because"),
}
RESAMPLED = marked("what was drawn again for the interval")
OF_TOURNAMENTS = marked("the standard deviation of the rating between tournaments")
BESIDE_PEOPLE = marked("the judge minus people")
AHEAD = marked("whether the first scores higher than the second")
ALPHA = marked(
    "Krippendorff’s alpha: how far votes agree beyond chance; 1 is always, 0 as by chance"
)
HABITS_ALONE = marked("the alpha that the judge’s shares of answers give without reading")
PAIRED_T = marked("the statistic of the paired t test")
