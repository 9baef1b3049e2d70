"""Parts of the results and their sections: an analysis with its plots and tables."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
from django.utils.translation import gettext

from analysis.analyses.origins import ONE_ORIGIN
from analysis.exports.readable_tables import ShownTable, shown
from analysis.inputs.definition import Analysis, offered_analyses
from analysis.inputs.interim import ON_CLOSING
from analysis.inputs.settings import PEOPLE
from analysis.pages.results.presentation.catalogue import figures_of, presentation_of
from analysis.pages.results.presentation.definition import Display, Panel
from analysis.pages.results.run_results import MOST_NAMED, RunResults, said_of
from analysis.plots.figure import Figure
from analysis.runs import findings
from annotation.texts.sentences import marked

FEW_FIGURES = 3  # of more, one a question, the last stands open: that of overall quality
FEW_ROWS = 10  # a table with more is folded, below its plot
LONG_ROWS = 60  # and with more, it has pages of its own
WHY = "why"  # the column of a table that says why a row has no interval


@dataclass(frozen=True)
class ResultsPart:
    """Page of results."""

    key: str
    title: str

    @property
    def analyses(self) -> tuple[str, ...]:
        """Names of the analyses on this page, in order."""
        presentations = [presentation_of(name) for name in offered_analyses()]
        mine = [presentation for presentation in presentations if presentation.part == self.key]
        return tuple(
            section.analysis for section in sorted(mine, key=lambda section: section.place)
        )


PARTS = {
    part.key: part
    for part in (
        ResultsPart("systems", marked("Systems")),
        ResultsPart("responses", marked("Answers")),
        ResultsPart("agreement", marked("Agreement")),
        ResultsPart("judges", marked("Judges")),
        ResultsPart("orders", marked("Order effects")),
        ResultsPart("workers", marked("Participants")),
        ResultsPart("texts", marked("Texts")),
        ResultsPart("cost", marked("Cost and pay")),
    )
}


@dataclass(frozen=True)
class LongTable:
    name: str
    title: str
    rows: int


@dataclass(frozen=True)
class ResultsSection:
    """Analysis on its page.

    `long` tables have pages of their own; `files` are the stems of tables that are only files.
    """

    analysis: Analysis
    figures: Sequence[Figure]
    tables: Sequence[ShownTable]
    long: Sequence[LongTable]
    files: Sequence[str]
    sentences: Sequence[str]
    lede: str = ""

    @property
    def name(self) -> str:
        return self.analysis.name

    @property
    def panel(self) -> Panel:
        return presentation_of(self.name).panel

    @property
    def open_figures(self) -> Sequence[Figure]:
        return self.figures if len(self.figures) <= FEW_FIGURES else self.figures[-1:]

    @property
    def folded_figures(self) -> Sequence[Figure]:
        return self.figures[:-1] if len(self.figures) > FEW_FIGURES else ()


def parts_of(found: RunResults) -> list[ResultsPart]:
    """Return the parts that the run has results for."""
    present = [part for part in PARTS.values() if found.analyses & set(part.analyses)]
    return [called(part, found) for part in present]


def called(part: ResultsPart, found: RunResults) -> ResultsPart:
    """Return the part with a title that fits the raters, who may be no workers."""
    is_of_others = part.key == "workers" and found.run.pool != PEOPLE
    return replace(part, title=marked("Raters")) if is_of_others else part


def sections_of(found: RunResults, part: ResultsPart) -> list[ResultsSection]:
    return [_section(found, name) for name in part.analyses if name in found.analyses]


def not_computed(found: RunResults) -> list[str]:
    """Return why results of the run are missing, each reason once.

    Texts of one origin lack nothing: there is nobody to compare their authors with.
    """
    return found.kept("missing", lambda: _not_computed(found))


def _not_computed(found: RunResults) -> list[str]:
    analyses, titles_by_reason = offered_analyses(), dict[str, dict[str, list[str]]]()
    for name, question, reason in found.missing:
        if reason == ONE_ORIGIN:
            continue
        title = analyses[name].title if name in analyses else name.capitalize()
        of = titles_by_reason.setdefault(reason, {}).setdefault(title, [])
        of += [found.words.of(question)] if question else []
    return [
        said_of(reason, [_of(title, of) for title, of in about.items() if title])
        for reason, about in titles_by_reason.items()
    ]


def _of(title: str, questions: list[str]) -> str:
    """Return the title of an analysis with its questions."""
    if len(questions) > MOST_NAMED:
        return gettext("{title} of {questions:,} questions").format(
            title=title, questions=len(questions)
        )
    return f"{title} of {', '.join(questions)}" if questions else title


def _section(found: RunResults, name: str) -> ResultsSection:
    analysis = offered_analyses()[name]
    return ResultsSection(
        analysis, *found.kept(f"tables:{name}", lambda: _contents(found, analysis))
    )


def _contents(found: RunResults, analysis: Analysis) -> tuple[Any, ...]:
    """Return the contents of a section, in the order of its fields."""
    name = analysis.name
    tables: list[ShownTable] = []
    long: list[LongTable] = []
    files, names = [], _names(found, name)
    found.read(name, [table for table in names if _how(name, table) is not None])
    titles = {table: _title(found, how) for table in names if (how := _how(name, table))}
    sentences = found.sentences(name, titles)
    if found.hides_intervals(name):
        sentences.insert(0, ON_CLOSING)
    for table in names:
        how, stem = _how(name, table), f"{name}-{table}"
        if how is None:
            files.append(stem)
        elif reasons := _nothing_but_reasons(found.table(name, table)):
            sentences += [reason for reason in reasons if reason not in sentences]
        elif (rows := len(found.table(name, table))) > LONG_ROWS:
            long.append(LongTable(stem, _title(found, how), rows))
        elif rows:
            tables.append(_shown(found, name, table, how, told=sentences))
    return (
        figures_of(found, name),
        tables,
        long,
        files if name in found.computed else [],
        sentences,
        presentation_of(name).lede.format(**found.said),
    )


def _nothing_but_reasons(frame: pd.DataFrame) -> list[str]:
    """Return the reasons in a table if no row has a number."""
    if "reason" not in frame or not len(frame) or not frame["reason"].map(bool).all():
        return []
    return [str(reason) for reason in dict.fromkeys(frame["reason"])]


def table_of(found: RunResults, stem: str) -> ShownTable | None:
    """Return a table of a page with all its rows, by the stem of its files; else None."""
    name, _, table = stem.partition("-")
    if name not in found.analyses or table not in _names(found, name):
        return None
    how = _how(name, table)
    if not how or not len(found.table(name, table)):
        return None
    told: list[str] = []
    of_page = _shown(found, name, table, how, told=told)
    return replace(of_page, note=" ".join(filter(None, (of_page.note, *told))))


def _how(name: str, table: str) -> Display | None:
    return presentation_of(name).tables.get(table, Display(table.replace("_", " ").capitalize()))


def _title(found: RunResults, how: Display) -> str:
    return how.title.format(currency=found.run.study.currency, scores_called=found.scores_called)


def _shown(
    found: RunResults, name: str, table: str, how: Display, *, told: list[str] | None = None
) -> ShownTable:
    """Return a stored table for the page whose sentences are `told`.

    Uncompared groups lose their letters, and a reason that all rows share joins the sentences.
    """
    frame = found.table(name, table)
    if told is not None and name == "groups" and {"low", "letters"} <= set(frame):
        frame = frame.assign(letters=frame["letters"].where(frame["low"].notna(), ""))
    if told is not None and (reason := _reason_of_all(frame, how)):
        frame = frame.drop(columns=WHY)
        told += [] if any(reason in sentence for sentence in told) else [reason]
    return shown(
        frame,
        name=f"{name}-{table}",
        title=_title(found, how),
        words=replace(found.words, named=found.named(frame.columns)),
        columns=offered_analyses()[name].columns_of(table),
        hidden=how.hidden,
        folded=how.folded or len(frame) > FEW_ROWS,
        note=how.note,
        links=found.pages,
    )


def _reason_of_all(frame: pd.DataFrame, how: Display) -> str:
    """Return the reason that several rows share for having no interval."""
    if WHY not in frame or WHY in how.hidden or len(frame) == 1:
        return ""
    reasons = set(frame[WHY].dropna())
    return str(reasons.pop()) if len(reasons) == 1 and frame[WHY].notna().all() else ""


def _names(found: RunResults, name: str) -> list[str]:
    """Return the described tables of an analysis, or all that it has stored."""
    if declared := presentation_of(name).tables:
        return list(declared)
    return [table for table in findings.names(found.run, name) if table != "undefined"]
