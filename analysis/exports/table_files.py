"""Stored tables as files: CSV with every digit, and LaTeX (booktabs) as on the page."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice

import pandas as pd
from django.utils.translation import gettext

from analysis.exports.readable_tables import CODES, Words, shown
from analysis.inputs.definition import offered_analyses
from analysis.inputs.measures import measures_of
from analysis.inputs.scorers import scored_measures
from analysis.models import AnalysisRun
from analysis.runs import findings
from annotation.texts.plurals import counted
from annotation.texts.spreadsheets import EXCEL, Csv

COUNTED = ("items", "votes", "workers", "responses", "topics", "n", "assignments", "compared")
BLOCK = 5_000  # rows that are Python's objects at once
_NAME = re.compile(rf"([a-z_]+)-([a-z_]+)\.(csv|tex|{re.escape(EXCEL)})")
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    '"': r"\textquotedbl{}", "−": "$-$", "–": "--", "’": "'", "[": "{[}", "]": "{]}",
}  # fmt: skip
_UNUSUAL = re.compile(rf"[\s{re.escape(''.join(_SPECIAL))}]")
_ESCAPES = str.maketrans(_SPECIAL)


class NoSuchTable(LookupError):
    """Error for a table that the run has not stored."""

    def __init__(self, name: str) -> None:
        super().__init__(
            gettext("The newest finished analysis has no table {name}.").format(name=name)
        )


def table_file(run: AnalysisRun, name: str) -> bytes:
    """Return the file of a table, by its name. Raises NoSuchTable."""
    match = _NAME.fullmatch(name)
    if match is None or match[1] not in offered_analyses():
        raise NoSuchTable(name)
    analysis, table, ending = match.groups()
    frame = findings.tables(run, analysis, table)
    if not len(frame.columns):
        raise NoSuchTable(name)
    if ending != "tex":
        return b"".join(csv_of(frame, excel=ending == EXCEL))
    return b"".join(latex_of(frame, run, analysis, table))


def table_files(run: AnalysisRun) -> Iterator[tuple[str, int, Iterator[bytes]]]:
    """Yield name, number of rows and blocks of bytes of the files of every table with rows."""
    words = words_of(run)
    for analysis in offered_analyses():
        for table in findings.names(run, analysis):
            frame = findings.tables(run, analysis, table)
            if len(frame):
                stem = f"{analysis}-{table}"
                yield f"{stem}.csv", len(frame), csv_of(frame)
                yield f"{stem}.tex", len(frame), latex_of(frame, run, analysis, table, words)


def words_of(run: AnalysisRun) -> Words:
    """Return the words for the codes in the tables of a run; files keep the keys of systems."""
    measures = measures_of(run.study, pool=run.pool)
    titles = {measure.key: measure.title for measure in [*measures, *scored_measures(measures)]}
    return Words(questions=titles, codes=CODES, confidence=run.confidence)


def csv_of(frame: pd.DataFrame, *, excel: bool = False) -> Iterator[bytes]:
    """Yield all columns and digits as CSV; missing values are empty."""
    if "question" in frame and not (frame["question"].astype(str) != "").any():
        frame = frame.drop(columns="question")
    file = Csv(excel=excel)
    yield file.lines([list(frame.columns)]).encode()
    for at in range(0, len(frame), BLOCK):
        yield file.lines(findings.plain_rows(frame.iloc[at : at + BLOCK])).encode()


def latex_of(
    frame: pd.DataFrame, run: AnalysisRun, analysis: str, table: str, words: Words | None = None
) -> Iterator[bytes]:
    """Yield a booktabs tabular with its caption; a comment names run and digest.

    `words` are those of the run, where they were read before.
    """
    name = f"{analysis}-{table}"
    view = shown(
        frame,
        name=name,
        title=offered_analyses()[analysis].title,
        words=words or words_of(run),
        columns=offered_analyses()[analysis].columns_of(table),
    )
    kinds = "".join("r" if head.number else "l" for head in view.heads)
    answers = offered_analyses()[analysis].answers
    caption = f"{view.title} ({table.replace('_', ' ')}). {answers} {_n(frame)}"
    before = (
        f"% {name}: study {run.study.slug} version {run.study.version}, run {run.pk}, "
        f"digest {run.digest}, code {run.version}",
        r"\begin{table}",
        r"  \centering",
        f"  \\caption{{{escaped(caption)}}}",
        f"  \\label{{tab:{name.replace('_', '-')}}}",
        f"  \\begin{{tabular}}{{{kinds}}}",
        r"    \toprule",
        f"    {_line([head.title for head in view.heads])}",
        r"    \midrule",
    )
    rows = (f"    {_line(row)}" for row in view.rows.texts())
    lines = chain(before, rows, (r"    \bottomrule", r"  \end{tabular}", r"\end{table}"))
    while block := [*islice(lines, BLOCK)]:
        yield "".join(f"{line}\n" for line in block).encode()


def _line(cells: Iterable[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"


def _n(frame: pd.DataFrame) -> str:
    """Return the largest sizes in a table: n = 1,352 items, 6,760 votes."""
    sizes = [
        f"{int(numbers.max()):,}"
        if name == "n"
        else counted(int(numbers.max()), name.removesuffix("s"), name)
        for name in COUNTED
        if name in frame
        if (numbers := pd.to_numeric(frame[name], errors="coerce")).notna().any()  # may be words
    ]
    return f"n = {', '.join(sizes)}." if sizes else f"{counted(len(frame), 'row')}."


@lru_cache(maxsize=1 << 14)
def escaped(text: str) -> str:
    """Return a text escaped for LaTeX, on one line."""
    if not _UNUSUAL.search(text):  # most cells, of which there may be a million
        return text
    return " ".join(text.translate(_ESCAPES).split())
