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
    meaning=marked("limits that contain the true value in this share of repeated studies")
)
# What every row says alike, or the record of the run tells.
HIDDEN = Column(hidden=True)
COUNT = Column(form=NumberFormat.WHOLE)
TWO_DIGITS = Column(form=NumberFormat.TWO)
SHARE = Column(form=NumberFormat.SHARE)
P = Column("p", NumberFormat.CHANCE)
SD = Column("SD", meaning=marked("standard deviation"))
TAU = Column(
    "Kendall's tau-b",
    meaning=marked("rank correlation: 1 is the same order, 0 unrelated, −1 reversed"),
    interval=INTERVAL,
)
N = Column("n", COUNT.form, marked("sample size: topics, items, texts or votes"))
# Columns by key, for every analysis that declares no other of that key.
COLUMNS: Mapping[str, Column] = {
    **dict.fromkeys(("items", "labels", "raters", "topics", "votes"), COUNT),
    "responses": Column("Answers", COUNT.form),
    "worker": Column("Participant"),
    "workers": Column("Participants", COUNT.form),
    **dict.fromkeys(("draws", "tournaments"), HIDDEN),
    "about": Column(
        "For",
        meaning=marked("scope of the interval: these raters on new topics, or raters like these"),
    ),
    "compared": Column(form=COUNT.form, meaning=marked("comparisons that include the text")),
    "competence": Column(
        meaning=marked("probability of knowing rather than guessing an answer (MACE, 0 to 1)"),
        interval=INTERVAL,
    ),
    "difference": Column(
        form=TWO_DIGITS.form, meaning=marked("first minus second"), interval=INTERVAL
    ),
    "mean": Column(form=TWO_DIGITS.form, interval=INTERVAL),
    "median": Column(form=TWO_DIGITS.form, interval=INTERVAL),
    "merit": Column("Strength", TWO_DIGITS.form, interval=("merit_low", "merit_high")),
    "n": N,
    "over": Column(meaning=marked("scope of the interval: new topics, new participants, or both")),
    "p": P,
    "p_adjusted": Column(
        "Adjusted p",
        P.form,
        marked("p-value adjusted for all pairs of the question (family-wise error, max-t)"),
    ),
    "q": Column(
        "q",
        P.form,
        marked("p-value adjusted to control the false discovery rate of its tests"),
    ),
    "sd": SD,
    "tau": TAU,
    "units": COUNT,
    "value": Column(interval=INTERVAL),
    "why": Column("Why no interval"),
}
RESAMPLED = marked("units resampled for the interval")
OF_TOURNAMENTS = marked("standard deviation of the rating across tournaments")
BESIDE_PEOPLE = marked("judge minus people")
AHEAD = marked("the first scores higher than the second")
ALPHA = marked("Krippendorff's alpha, agreement beyond chance: 1 is perfect, 0 is chance")
HABITS_ALONE = marked("alpha of a random judge with the same label shares")
PAIRED_T = marked("paired t-test statistic")
