"""Popp et al.: Borda wins, yes-counts, means and best-worst values from their own lower tables.

Of each method the lowest available table is the input: scores of the texts by criterion, or by
scale. The higher tables follow: scales (a head with its own criteria), totals, systems (all their
texts). Costs follow from the times of the same table (`popp_costs`).
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from analysis.replication.papers.cells import (
    ExpectedValue,
    PaperCell,
    PaperTable,
    Replica,
    compared,
    unread,
)
from analysis.replication.papers.popp_costs import COSTS, costs
from analysis.replication.papers.popp_costs import inputs as inputs_of_costs
from analysis.replication.papers.popp_tables import (
    HEADS,
    SCALES,
    Entities,
    NamedCell,
    heads_of,
    named,
    plain,
    scale_of,
)
from analysis.replication.papers.table_files import tables_in
from analysis.replication.table_rules import PrintedTable, is_unnamed
from analysis.stats.effects.method_comparison import one_tailed_tau
from analysis.stats.errors import CannotCompute
from annotation.texts.plurals import counted

RATERS = 5  # a mean of five answers in whole numbers is a multiple of a fifth, and so exact
SOURCE = "Popp et al., tables as printed; the inputs are the lower tables themselves"


@dataclass(frozen=True)
class PoppMethod:
    """A method and its `tables` from the lowest to the highest; scores add up or are averaged."""

    name: str
    what: str
    tables: tuple[str, ...]
    averages: bool = False


METHODS = (
    PoppMethod("AB", "Borda wins", ("table5", "table7", "table9", "table11")),
    PoppMethod("AQC", "numbers of yes", ("table13", "table15", "table17", "table19")),
    PoppMethod("DQE", "mean grades", ("table21", "table23", "table25", "table27"), averages=True),
    PoppMethod("BWS", "best-worst values", ("table29", "table31")),
)
TEXTS, SYSTEMS, TAUS, SYSTEM_TAUS = "table33", "table35", "table37", "table39"
COSINE = "cosine"
WORDS = {"dqe": "DQE", "aqc": "AQC", "bd": "AQC", "bws": "BWS", "ab": "AB", COSINE: "COSINE"}
NAMES = [
    COSTS,
    *(name for method in METHODS for name in method.tables),
    TEXTS,
    SYSTEMS,
    TAUS,
    SYSTEM_TAUS,
]
FILES = tuple(f"{name}.csv" for name in NAMES)
NOTES = (
    "The text orders systems by best-worst values as GPT, LLaMA, Luminous, Mistral; table 31 has "
    "GPT 44, Mistral −6, LLaMA −15, Luminous −23, so Mistral is not the lowest in all methods.",
    "The text on figure 7 has a tau of .33 of BWS with AQC and with DQE, and none with AB; those "
    "of the totals are .333 and 0.",
)
Key = tuple[tuple[str, str], str]  # entity, measure
Scores = dict[Key, ExpectedValue]


def replicate(folder: Path) -> Replica:
    """Compare the paper's tables in a folder with their own lower tables. Raises BadTable."""
    printed = tables_in(folder, NAMES)
    entities = Entities.of(printed.values())
    cells = {name: named(table, entities) for name, table in printed.items()}
    replica = Replica("popp", "Popp et al.: six methods of evaluation", SOURCE, notes=list(NOTES))
    replica.missing = {
        name: f"{name}.csv is not in the folder." for name in NAMES if name not in printed
    }
    inputs: dict[str, set[tuple[str, str]]] = {}
    if COSTS in printed:
        replica.tables.append(costs(printed[COSTS]))
        inputs[COSTS] = inputs_of_costs(printed[COSTS])
    scores_by_method: dict[str, Scores] = {}
    for method in METHODS:
        mine = [name for name in method.tables if cells.get(name)]
        if not mine:
            continue
        scores_by_method[method.name] = scores = scores_of(method, cells[mine[0]])
        inputs[mine[0]] = {(cell.row, cell.column) for cell in cells[mine[0]]}
        for name in mine:
            replica.tables.append(_table(method, name, mine[0], cells[name], scores))
    inputs[TEXTS] = {(c.row, c.column) for c in cells.get(TEXTS, []) if _is_cosine(c)}
    replica.tables += _together(printed, cells, scores_by_method)
    for name, cosines in _cosines(cells).items():
        if name in printed:
            replica.tables.append(_taus(name, printed[name], cosines, scores_by_method))
    figures = _figures(scores_by_method)
    for table in replica.tables:
        read = inputs.get(table.name, set()) | {(cell.row, cell.column) for cell in table.cells}
        table.unread = unread(printed[table.name], read)
    replica.tables += figures
    compared_names = {table.name for table in replica.tables}
    replica.missing |= {
        name: f"No row or column of {name}.csv names a text or a system."
        for name in printed
        if name not in compared_names
    }
    return replica


def _cosines(cells: Mapping[str, Sequence[NamedCell]]) -> dict[str, dict[tuple[str, str], float]]:
    """Return the cosines of the texts and of the systems, by the table of taus that they are for.

    The cosine of a system is the sum of its texts, or what table 35 prints where these are missing.
    """
    texts = {c.entity: c.value for c in cells.get(TEXTS, []) if _is_cosine(c)}
    systems = {c.entity: c.value for c in cells.get(SYSTEMS, []) if _is_cosine(c)}
    for system in dict.fromkeys(entity[0] for entity in texts):
        systems[system, ""] = sum(value for text, value in texts.items() if text[0] == system)
    return {TAUS: texts, SYSTEM_TAUS: systems}


# -- Scores from the lowest table ------------------------------------------------------------------


def scores_of(method: PoppMethod, lowest: Sequence[NamedCell]) -> Scores:
    """Return all scores that follow from a table of texts: criteria, scales, totals, systems."""
    criteria = list(dict.fromkeys(cell.measure for cell in lowest if cell.measure != "total"))
    by_scale = set(criteria) <= set(SCALES)
    exact = _exactness(lowest, method)
    scores: Scores = {
        (cell.entity, cell.measure): ExpectedValue(cell.value, exact(cell), "number itself")
        for cell in lowest
        if cell.measure != "total"
    }
    texts = list(dict.fromkeys(cell.entity for cell in lowest))
    heads = {} if by_scale else heads_of(criteria)
    for text in texts:
        for head, parts in heads.items():
            _combine(scores, method, (text, f"scale {head}"), [(text, part) for part in parts])
        names = criteria if not by_scale else [head for head in HEADS if head in criteria]
        _combine(scores, method, (text, "scale total"), [(text, name) for name in names])
    measures = [*criteria, *(f"scale {head}" for head in heads), "scale total"]
    for system in dict.fromkeys(entity[0] for entity in texts):
        system_texts = [text for text in texts if text[0] == system]
        for measure in measures:
            _combine(
                scores, method, ((system, ""), measure), [(text, measure) for text in system_texts]
            )
    return scores


def _exactness(lowest: Sequence[NamedCell], method: PoppMethod) -> Callable[[NamedCell], float]:
    """Return a bound on the rounding error of printed numbers; 0 for counts and means of five."""
    values = np.array([cell.value for cell in lowest])
    step = RATERS if method.averages else 1
    whole = np.allclose(values * step, np.round(values * step))
    return lambda cell: 0.0 if whole else cell.half


def _combine(found: Scores, method: PoppMethod, key: Key, parts: Sequence[Key]) -> None:
    """Add the sum, or the mean, of the parts; nothing where some part is missing."""
    if not parts or any(part not in found for part in parts):
        return
    values = [found[part] for part in parts]
    n = len(values) if method.averages else 1
    part_name = "texts" if parts[0][0] != key[0] else "criteria"
    if part_name == "criteria" and {part[1] for part in parts} <= set(HEADS):
        part_name = "scales"
    found[key] = ExpectedValue(
        sum(value.value for value in values) / n,
        sum(value.exact for value in values) / n,
        f"{'mean' if method.averages else 'sum'} of its {len(parts)} {part_name}",
    )


def _score(
    scores: Scores, entity: tuple[str, str], measure: str, *, scale: bool
) -> ExpectedValue | None:
    """Return a score; a scale is a head with its criteria, where the lowest table has criteria."""
    if scale or measure == "total":
        return scores.get((entity, f"scale {measure}")) or scores.get((entity, measure))
    return scores.get((entity, measure))


# -- Tables ----------------------------------------------------------------------------------------


def _table(
    method: PoppMethod, name: str, lowest: str, cells: Sequence[NamedCell], scores: Scores
) -> PaperTable:
    """Return a printed table of a method with the numbers that follow from the lowest one."""
    is_scale = {cell.measure for cell in cells} <= set(SCALES)
    same = {} if is_scale else _same_criteria(cells, scores)
    expected, printed = {}, {}
    for cell in cells:
        measure = same.get(cell.measure, cell.measure)
        follows = _score(scores, cell.entity, measure, scale=is_scale)
        if follows is None or (name == lowest and follows.rule == "number itself"):
            continue
        expected[cell.row, cell.column] = follows
        printed[cell.row, cell.column] = (cell.value, cell.half)
    return PaperTable(
        name,
        f"Table {name.removeprefix('table')}: {method.what} ({method.name})",
        "Input of all tables of this method. Only values that follow from others are compared."
        if name == lowest
        else f"Computed from table {lowest.removeprefix('table')}.",
        compared(printed, expected),
    )


def _same_criteria(cells: Sequence[NamedCell], scores: Scores) -> dict[str, str]:
    """Return the criterion of the lowest table that each name means, by short form or place."""
    mine = list(dict.fromkeys(cell.measure for cell in cells if cell.measure != "total"))
    theirs = [m for m in dict.fromkeys(key[1] for key in scores) if not m.startswith("scale ")]
    criterion_by_name = {}
    for place, name in enumerate(mine):
        like = [
            criterion
            for criterion in theirs
            if criterion.startswith(name) or name.startswith(criterion)
        ]
        if len(like) == 1 or name in like:
            criterion_by_name[name] = name if name in like else like[0]
        elif len(mine) == len(theirs):
            criterion_by_name[name] = theirs[place]
    return criterion_by_name


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", name.lower())


def _method_of(name: str) -> str:
    """Return the method, or cosine, that a name of a row or column has as a word, or "".

    The paper calls AQC “BD” in the tables of all methods.
    """
    return next((WORDS[word] for word in _words(name) if word in WORDS), "")


def _scale_in(name: str) -> str:
    """Return the scale within a name; a name without one means the total."""
    return next((scale for word in _words(name) if (scale := scale_of(word))), "total")


def _together(
    printed: Mapping[str, PrintedTable],
    cells: Mapping[str, Sequence[NamedCell]],
    known: Mapping[str, Scores],
) -> list[PaperTable]:
    """Return tables 33 and 35: all methods side by side; cosines of a system are added up."""
    cosines = {c.entity: c for c in cells.get(TEXTS, []) if _is_cosine(c)}
    tables = []
    for name in (TEXTS, SYSTEMS):
        expected, shown = {}, {}
        for cell in cells.get(name, []):
            header = f"{cell.row} {cell.column}"
            if _is_cosine(cell):
                follows = _cosine(cell, cosines) if name == SYSTEMS else None
            else:
                scores = known.get(_method_of(header), {})
                follows = _score(scores, cell.entity, _scale_in(header), scale=True)
            if follows is not None:
                expected[cell.row, cell.column] = follows
                shown[cell.row, cell.column] = (cell.value, cell.half)
        if name in printed:
            number = name.removeprefix("table")
            lead = "Computed from the lowest table of each method."
            tables.append(
                PaperTable(name, f"Table {number}: all methods", lead, compared(shown, expected))
            )
    return tables


def _is_cosine(cell: NamedCell) -> bool:
    return COSINE in plain(f"{cell.row} {cell.column}")


def _cosine(cell: NamedCell, cosines: Mapping[tuple[str, str], NamedCell]) -> ExpectedValue | None:
    text_cosines = [cosine for entity, cosine in cosines.items() if entity[0] == cell.entity[0]]
    if not text_cosines:
        return None
    total = sum(cosine.value for cosine in text_cosines)
    return ExpectedValue(
        total,
        sum(cosine.half for cosine in text_cosines),
        f"sum of its {counted(len(text_cosines), 'text')}",
    )


def _taus(
    name: str,
    table: PrintedTable,
    cosines: Mapping[tuple[str, str], float],
    known: Mapping[str, Scores],
) -> PaperTable:
    """Return tables 37 and 39: tau-b of each method with the cosines, and its one-tailed p."""
    kind = "texts" if name == TAUS else "systems"
    expected, printed = {}, {}
    for r, row in enumerate(table.rows):
        for c, column in enumerate(table.columns):
            if is_unnamed(column):
                continue  # it may hold taus or p-values
            header = f"{row} {column}"
            follows = _tau(known.get(_method_of(header), {}), cosines, header, kind)
            if follows is not None and np.isfinite(table.values[r, c]):
                expected[row, column] = follows
                printed[row, column] = (float(table.values[r, c]), float(table.exact[r, c]))
    lead = f"Over the {kind}: scores of each method against the cosines; p is one-tailed."
    title = f"Table {name.removeprefix('table')}: Kendall's tau-b over the {kind}"
    return PaperTable(name, title, lead, compared(printed, expected))


FIGURES = {"figure6": "texts", "figure7": "systems"}


def _figures(known: Mapping[str, Scores]) -> list[PaperTable]:
    """Return figures 6 and 7: tau-b of each pair of methods; the text prints three of the taus."""
    tables = []
    for name, kind in FIGURES.items():
        cells = [
            PaperCell(
                f"{first}, {second}", scale.capitalize(), None, tau.value, 0.0005, 0.0, tau.rule
            )
            for first, second in combinations(known, 2)
            for scale in SCALES
            if (tau := _tau_between(known[first], known[second], scale, kind)) is not None
        ]
        if cells:
            title = f"Figure {name.removeprefix('figure')}: Kendall's tau-b of the methods"
            lead = f"Over the {kind}. The figure itself is an image, so nothing is compared."
            tables.append(PaperTable(name, title, lead, cells))
    return tables


def _tau_between(first: Scores, second: Scores, scale: str, kind: str) -> ExpectedValue | None:
    """Return tau-b over the texts, or the systems, that have scores by both methods."""
    entities = [entity for entity, _ in first if bool(entity[1]) == (kind == "texts")]
    values = {
        entity: score.value
        for entity in dict.fromkeys(entities)
        if (score := _score(second, entity, scale, scale=True)) is not None
    }
    return _tau(first, values, scale, kind)


def _tau(
    scores: Scores, cosines: Mapping[tuple[str, str], float], name: str, of: str
) -> ExpectedValue | None:
    scale = _scale_in(name)
    pairs = [
        (follows.value, cosine)
        for entity, cosine in cosines.items()
        if (follows := _score(scores, entity, scale, scale=True)) is not None
    ]
    if not pairs:
        return None
    try:
        result = one_tailed_tau(*zip(*pairs, strict=True))
    except CannotCompute:
        return None
    is_p = bool({"p", "sig", "significance"} & set(_words(name)))
    rule = "one-tailed p" if is_p else "tau-b"
    return ExpectedValue(result.p if is_p else result.tau, 0.0, f"{rule} over {len(pairs)} {of}")
