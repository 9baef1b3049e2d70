"""Agreement and counts of a closed coding, by code. Only reads."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.core.cache import cache

from analysis.stats.agreement.code_agreement import CodeAgreement, CodeMeasure, code_agreement
from annotation.models import Study
from judging.banks.secrets import hide_names
from judging.coding import coding_units
from judging.coding.reconciling import codes_by_coder, final_codes, finished_coders
from judging.models import AddedCode, Code, Coder, Coding, ItemSlot

KEPT_SECONDS = 24 * 60 * 60
ADDED = "Not compared because it was added while coding."
MISSING = CodeMeasure(None, None, None, ADDED)


@dataclass(frozen=True)
class CodeRow:
    """A code with its uses by coder, the agreement, and its uses after reconciling."""

    code: Code | AddedCode
    given: Sequence[int]
    kappa: CodeMeasure
    alpha: CodeMeasure
    final: int


@dataclass(frozen=True)
class CountRow:
    """Number of units of a method with a reconciled code, also by system (`cells`)."""

    code: Code | AddedCode
    method: str
    total: int
    cells: Sequence[int]


@dataclass(frozen=True)
class CodeCounts:
    systems: Sequence[str]
    rows: Sequence[CountRow]


@dataclass(frozen=True)
class CodesByMethod:
    """Units with each reconciled code of a closed coding, a cell for each of the `methods`."""

    coding: Coding
    methods: Sequence[str]
    rows: Sequence[tuple[Code | AddedCode, Sequence[int]]]


def code_rows(coding: Coding) -> tuple[list[Coder], list[CodeRow], list[str]]:
    """Return the compared coders, a row per used code, and the names of unused codes."""
    coders = finished_coders(coding)
    given, final = codes_by_coder(coding), final_codes(coding)
    numbers = [coder.number for coder in coders]
    uses = Counter(key for keys in final.values() for key in keys)
    rows: list[CodeRow] = []
    unused: list[str] = []
    for code in codes_for(coding):
        table = [[code.key in given[unit][number] for unit in given] for number in numbers]
        if not any(map(any, table)) and not uses[code.key]:
            unused.append(str(code))
        elif isinstance(code, AddedCode):
            sums = [sum(row) for row in table]
            rows.append(CodeRow(code, sums, MISSING, MISSING, uses[code.key]))
        else:
            measured = agreement_on(table, seed=coding.pk)
            rows.append(
                CodeRow(code, measured.given, measured.kappa, measured.alpha, uses[code.key])
            )
    return coders, rows, unused


def codes_for(coding: Coding) -> list[Code | AddedCode]:
    """Return the codes of all coders, with the names that the reader of the study may read.

    Codes with the same name get the name of their group, too.
    """
    codes = coding_units.codes_for(coding, None)
    uses = Counter(map(str, codes))
    for code in codes:
        if isinstance(code, Code) and code.group and uses[str(code)] > 1:
            code.name = f"{code.group}: {code.name}"
    hide_names(coding.study, codes)
    return codes


def agreement_on(table: list[list[bool]], *, seed: int) -> CodeAgreement:
    """Return the agreement on a code, caching the bootstrap result."""
    key = f"code-agreement-{seed}-{sha256(repr(table).encode()).hexdigest()}"
    kept: CodeAgreement | None = cache.get(key)
    if kept is None:
        kept = code_agreement(table, seed=seed)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def code_counts(coding: Coding) -> CodeCounts:
    """Return the comments of each reconciled code by method and system.

    A code counts once for a comment and its marked passages. A comment about several systems
    counts for each of them, one without a system only in the total.
    """
    final, systems = _of_whole_comments(coding), systems_of(coding)
    methods = dict(coding.units.values_list("pk", "instrument__title"))
    counts: Mapping[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for unit, keys in final.items():
        for key in keys:
            cell = counts[key, methods[unit] or ""]
            cell[""] += 1
            cell.update(systems.get(unit, ()))
    names = sorted({name for names in systems.values() for name in names})
    rows = [
        CountRow(code, method, cell[""], [cell[name] for name in names])
        for code in codes_for(coding)
        for (key, method), cell in sorted(counts.items())
        if key == code.key
    ]
    return CodeCounts(names, rows)


def _of_whole_comments(coding: Coding) -> dict[int, set[str]]:
    """Return the reconciled codes of each comment and of the passages marked in it."""
    marked = coding.units.filter(whole__isnull=False)
    whole_by_unit = {unit.pk: unit.whole_id or unit.pk for unit in marked.only("pk", "whole")}
    codes: dict[int, set[str]] = defaultdict(set)
    for unit, keys in final_codes(coding).items():
        codes[whole_by_unit.get(unit, unit)] |= set(keys)
    return codes


def codes_by_method(study: Study) -> CodesByMethod | None:
    """Return the codes of the newest closed coding by method; None without two methods."""
    closed = Coding.objects.filter(study=study, closed_at__isnull=False).order_by("-closed_at")
    coding = closed.first()
    if coding is None:
        return None
    counts = code_counts(coding).rows
    methods = sorted({row.method for row in counts if row.method})
    if len(methods) < 2:
        return None
    totals = {(row.code.key, row.method): row.total for row in counts}
    codes = {row.code.key: row.code for row in counts}
    rows = [
        (code, [totals.get((key, method), 0) for method in methods]) for key, code in codes.items()
    ]
    return CodesByMethod(coding, methods, rows)


def systems_of(coding: Coding) -> dict[int, set[str]]:
    """Return the names of each unit's systems."""
    items = dict(coding.units.filter(item__isnull=False).values_list("pk", "item"))
    rows = ItemSlot.objects.filter(item__coding_units__coding=coding)
    names: dict[int, set[str]] = defaultdict(set)
    columns = ("item", "response__system__name", "segment__response__system__name")
    for item, *systems in rows.values_list(*columns).distinct():
        names[item].update(filter(None, systems))
    return {unit: names[item] for unit, item in items.items() if names[item]}
