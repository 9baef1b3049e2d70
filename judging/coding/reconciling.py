"""Close a coding, and record a decision where coders disagree."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, Max

from annotation.people import access
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.coding.coding_units import codes_for, same_codes, unknown_code
from judging.coding.starting import lock
from judging.models import Coder, Coding, CodingUnit, UnitCodes, UnitDecision

LEAST_CODERS = 2


def finished_coders(coding: Coding) -> list[Coder]:
    """Return the coders who coded every unit; of a closed coding, every unit at its closing.

    An erasure after the closing makes no coder one of them who was none.
    """
    rows = Coder.objects.filter(coding=coding).order_by("number")
    if coding.closed_at is not None:
        return list(rows.filter(is_compared=True))
    n = coding.units.count()
    return [coder for coder in rows.annotate(done=Count("given")) if coder.done == n]


def erased_since_closing(coding: Coding) -> int:
    """Return how many units were erased from a coding after it was closed."""
    return (coding.closed_units or 0) - coding.units.count() if coding.closed_units else 0


@transaction.atomic
def close(*, coding: Coding, by: Any, now: datetime) -> None:
    """Close a coding. Codes become final and visible to all coders.

    Raises Refusal before two coders have coded every unit.
    """
    current = lock(coding)
    coders = finished_coders(current)
    if len(coders) < LEAST_CODERS:
        raise Refusal("CodersMissing", Sentence("Two coders must code every comment first."))
    Coder.objects.filter(pk__in=[coder.pk for coder in coders]).update(is_compared=True)
    coding.closed_at, coding.closed_units = now, current.units.count()
    Coding.objects.filter(pk=coding.pk).update(closed_at=now, closed_units=coding.closed_units)
    access.record(user=by, act="closed a coding", what=coding.name, of=coding.study)


def codes_by_coder(coding: Coding) -> dict[int, dict[int, frozenset[str]]]:
    """Return the codes of coders who coded every unit: unit -> coder number -> codes."""
    numbers = {coder.pk: coder.number for coder in finished_coders(coding)}
    given: dict[int, dict[int, frozenset[str]]] = defaultdict(dict)
    same = same_codes(coding)
    rows = UnitCodes.objects.filter(unit__coding=coding, coder__in=numbers)
    for unit, coder, codes in rows.order_by("coder__number").values_list("unit", "coder", "codes"):
        given[unit][numbers[coder]] = frozenset(same.get(key, key) for key in codes)
    return dict(given)


def disagreements(coding: Coding) -> list[int]:
    """Return the units on which coders disagree, in order."""
    given = codes_by_coder(coding)
    units = coding.units.order_by("position").values_list("pk", flat=True)
    return [unit for unit in units if len(set(given.get(unit, {}).values())) > 1]


def decisions(coding: Coding) -> dict[int, UnitDecision]:
    """Return the newest decision on each unit."""
    rows = UnitDecision.objects.filter(unit__coding=coding).order_by("number")
    return {decision.unit_id: decision for decision in rows}


def final_codes(coding: Coding) -> Mapping[int, frozenset[str]]:
    """Return the agreed or decided codes of each unit."""
    agreed = {
        unit: next(iter(codes.values()))
        for unit, codes in codes_by_coder(coding).items()
        if len(set(codes.values())) == 1
    }
    return agreed | {
        unit: frozenset(decision.codes) for unit, decision in decisions(coding).items()
    }


@transaction.atomic
def decide(
    *, coding: Coding, unit: CodingUnit, codes: Collection[str], note: str, by: Any, now: datetime
) -> UnitDecision:
    """Save a decision on a unit. Raises Refusal for open codings and unknown codes."""
    current = Coding.objects.select_for_update().get(pk=coding.pk)
    if current.closed_at is None:
        raise Refusal("CodingOpen", Sentence("Close the coding first."))
    code_keys = [code.key for code in codes_for(current, None)]
    if unit.coding_id != coding.pk or not set(codes) <= set(code_keys):
        raise unknown_code()
    last = unit.decisions.aggregate(last=Max("number"))["last"] or 0
    decision = UnitDecision(
        unit=unit,
        number=last + 1,
        codes=[key for key in code_keys if key in codes],
        note=note.strip()[:500],
        by=by,
        at=now,
    )
    decision.save()
    return decision
