"""The parts of the results, and the sections of each: an analysis, its plots and its tables."""

from collections.abc import Sequence
from dataclasses import dataclass

from analysis.analyses.catalogue import CATALOGUE, Analysis
from analysis.results import findings
from analysis.results.figures import Figure
from analysis.results.found import Found
from analysis.results.found_figures import figures_of
from analysis.results.shown import ShownTable, shown

FEW_ROWS = 10  # a table with more is folded, below its plot
LONG_ROWS = 60  # and with more, it has pages of its own


@dataclass(frozen=True)
class Part:
    """A page of results and its analyses, in the order of the page."""

    key: str
    title: str
    analyses: tuple[str, ...]


PARTS = {
    part.key: part
    for part in (
        Part("systems", "Systems", ("groups", "origins", "stability", "associations")),
        Part("responses", "Responses", ("grades", "means")),
        Part("agreement", "Agreement", ("agreement", "corrected", "differentiable")),
        Part("orders", "Order effects", ("orders", "position")),
        Part("workers", "Workers", ("competence",)),
        Part("texts", "Texts", ("texts", "wording", "references", "process")),
        Part("cost", "Cost and pay", ("cost", "savings")),
    )
}


@dataclass(frozen=True)
class Shown:
    """How a table stands on its page. Tables without one stand there with all their columns."""

    title: str
    hidden: tuple[str, ...] = ()
    folded: bool = False
    note: str = ""


# Analysis -> table -> how it is shown, in this order; None keeps a table to its files.
TABLES: dict[str, dict[str, Shown | None]] = {
    "agreement": {"agreement": Shown("All measures", folded=True)},
    "corrected": {"corrected": Shown(
        "Agreement of kept votes", ("null_draws",),
        note="Cross-fitted is the figure to report: competence comes from other items than those "
        "it is applied to. In sample is circular and stands here for comparison with the "
        "literature.",
    )},
    "differentiable": {"parts": Shown("By part"), "split": None},
    "orders": {"sides": Shown("Share of votes for the right-hand side", note="p by workers; the "
               "binomial p takes votes of one worker for independent, which they are not."),
               "parts": Shown("Agreement by direction and by half", folded=True)},
    "position": {"position": Shown("Effect of standing left", ("tie_parameter",), note="p: Wald, "
                 "clustered by workers; the likelihood ratio takes votes for independent.")},
    "stability": {"stability": Shown("By votes an item", folded=True)},
    "competence": {"starts": Shown("How far the start of the algorithm decides", note="MACE is "
                   "started anew from other values; competence and labels that move are not known "
                   "from the votes alone."),
                   "competence": None, "gold": None, "fit": None},
    "grades": {"grades": None},
    "associations": {"associations": Shown("All pairs of questions", folded=True),
                     "others": Shown("Each question with the others")},
    "groups": {"means": Shown("Mean grades, one a row", folded=True, note="Groups that share a "
               "letter are not told apart, at a false discovery rate of 5 %."),
               "ahead": Shown("Each against each", folded=True)},
    "origins": {"over_all": Shown("Over all styles", note="Models minus people. q is the p-value "
                "corrected for the number of tests (Benjamini and Hochberg)."),
                "by_style": Shown("By style", folded=True)},
    "means": {"means": None},
    "texts": {"counts": Shown("Words, statements and citations", note="n counts texts."),
              "overlaps": Shown("Passages cited in common (Jaccard)", note="sd is the standard "
              "deviation over pairs of texts, the interval that of the mean."),
              "order": Shown("Order of citations (Spearman with the rank)"),
              "ranks": Shown("Ranks of cited and uncited passages", folded=True),
              "by_rank": Shown("Probability of citation by rank", folded=True),
              "density": Shown("Where citations stand", folded=True),
              "left_out": Shown("Left out", note="Texts under the least number of words are no "
              "responses; unknown citations name a passage that is not there.")},
    "wording": {"reuse": Shown("Sentence BLEU with what is cited"),
                "readability": Shown("Flesch reading ease"),
                "curves": Shown("Shared n-grams by their length", folded=True),
                "distribution": None},
    "references": {"references": Shown("BLEU and ROUGE-L against the best text", folded=True)},
    "process": {"process": Shown("Measures of the writing process", note="Evidence about texts, "
                "and no verdict on anybody.")},
    "cost": {"units": Shown("Cost in {currency}"),
             "wage": Shown("Wage in active time, {currency} an hour", note="All pay by all hours "
             "of active time, in which no long gap counts. Whole is the number of works with "
             "nothing recorded in between, so that all their time counts; elapsed is from consent "
             "to handing in, and breaks lengthen it.")},
    "savings": {"savings": Shown("What fewer votes would keep", folded=True)},
}  # fmt: skip


@dataclass(frozen=True)
class LongTable:
    name: str
    title: str
    rows: int


@dataclass(frozen=True)
class Section:
    """An analysis on its page. `long` tables have pages of their own; `files` are the stems of the
    tables that are only files."""

    analysis: Analysis
    figures: Sequence[Figure]
    tables: Sequence[ShownTable]
    long: Sequence[LongTable]
    files: Sequence[str]
    sentences: Sequence[str]

    @property
    def name(self) -> str:
        return self.analysis.name


def parts_of(found: Found) -> list[Part]:
    """The parts of which the run has done something."""
    return [part for part in PARTS.values() if found.analyses & set(part.analyses)]


def sections_of(found: Found, part: Part) -> list[Section]:
    return [_section(found, name) for name in part.analyses if name in found.analyses]


def _section(found: Found, name: str) -> Section:
    tables: list[ShownTable] = []
    long: list[LongTable] = []
    files = []
    for table in _names(found, name):
        how, stem = _how(name, table), f"{name}-{table}"
        if how is None:
            files.append(stem)
        elif (rows := len(found.table(name, table))) > LONG_ROWS:
            long.append(LongTable(stem, _title(found, how), rows))
        elif rows:
            tables.append(_shown(found, name, table, how))
    computed = files if name in found.computed else []
    return Section(
        CATALOGUE[name], figures_of(found, name), tables, long, computed, found.sentences(name)
    )


def table_of(found: Found, stem: str) -> ShownTable | None:
    """A table that stands on a page, by the stem of its files, with all its rows; else None."""
    name, _, table = stem.partition("-")
    if name not in found.analyses or table not in _names(found, name):
        return None
    how = _how(name, table)
    return _shown(found, name, table, how) if how and len(found.table(name, table)) else None


def _how(name: str, table: str) -> Shown | None:
    return TABLES.get(name, {}).get(table, Shown(table.replace("_", " ").capitalize()))


def _title(found: Found, how: Shown) -> str:
    return how.title.format(currency=found.run.study.currency)


def _shown(found: Found, name: str, table: str, how: Shown) -> ShownTable:
    frame = found.table(name, table)
    return shown(
        frame,
        name=f"{name}-{table}",
        title=_title(found, how),
        words=found.words,
        hidden=how.hidden,
        folded=how.folded or len(frame) > FEW_ROWS,
        note=how.note,
    )


def _names(found: Found, name: str) -> list[str]:
    """The tables of an analysis: those that are known, or all that it has stored."""
    if name in TABLES:
        return list(TABLES[name])
    return [table for table in findings.names(found.run, name) if table != "undefined"]
