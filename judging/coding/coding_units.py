"""Code units: each coder alone, until the coding is closed. Erase those of a participant."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Max

from annotation.models import Assignment
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.coding.starting import lock
from judging.models import AddedCode, Code, Coder, CoderCall, Coding, CodingUnit, UnitCodes

MOST_ADDED = 200  # codes that one coder adds


def codes_for(coding: Coding, coder: Coder | None) -> list[Code | AddedCode]:
    """Return the codes a coder can choose from: those of the codebook and their own.

    For a closed coding, or without a coder, return the codes of all coders, one per name.
    """
    added = AddedCode.objects.filter(coding=coding).order_by("pk")
    book = codebook_of(coding)
    if coder is not None and coding.closed_at is None:
        return [*book, *added.filter(coder=coder)]
    first = same_codes(coding)
    return [*book, *(code for code in added if code.key not in first)]


def codebook_of(coding: Coding) -> list[Code]:
    """Return the codes of the codebook, which a new coder chooses from."""
    return list(Code.objects.filter(version=coding.version_id).order_by("position"))


def same_codes(coding: Coding) -> dict[str, str]:
    """Return, for each added code, the key of the first added code with the same name."""
    first: dict[str, str] = {}
    same: dict[str, str] = {}
    for code in AddedCode.objects.filter(coding=coding).order_by("pk"):
        key = first.setdefault(code.name.casefold() or code.key, code.key)
        if key != code.key:
            same[code.key] = key
    return same


def coder_of(*, coding: Coding, user: Any) -> Coder | None:
    """Return the coder that a user is, None before their first answer.

    Raises Refusal if the coding is closed and they are none.
    """
    coder = Coder.objects.filter(coding=coding, user=user).first()
    if coder is None and coding.closed_at is not None:
        raise Refusal("CodingClosed", Sentence("This coding is closed."))
    return coder


@transaction.atomic
def join(*, coding: Coding, user: Any) -> Coder:
    """Return the user's coder, creating it if needed. Raises Refusal for a closed coding."""
    coder = Coder.objects.filter(coding=coding, user=user).first()
    if coder is None:
        lock(coding)
        last = coding.coders.aggregate(last=Max("number"))["last"] or 0
        coder, _ = Coder.objects.get_or_create(
            coding=coding, user=user, defaults={"number": last + 1}
        )
    return coder


@transaction.atomic
def record(
    *, coder: Coder, unit: CodingUnit, codes: Collection[str], now: datetime, added: str = ""
) -> UnitCodes:
    """Save the codes of a unit and an optional `added` code. An empty list is valid.

    Raises Refusal for unknown codes, and once the coding is closed.
    """
    coding = lock(coder.coding)
    code_keys = [code.key for code in codes_for(coding, coder)]
    if unit.coding_id != coding.pk or not set(codes) <= set(code_keys):
        raise unknown_code()
    keys = [key for key in code_keys if key in codes]
    if added.strip():
        keys.append(_add(coding, coder, unit, added.strip()[:200], now))
    given, _ = UnitCodes.objects.update_or_create(
        unit=unit, coder=coder, defaults={"codes": list(dict.fromkeys(keys)), "saved_at": now}
    )
    return given


def unknown_code() -> Refusal:
    return Refusal("UnknownCode", Sentence("Unknown code."), status=422)


def _add(coding: Coding, coder: Coder, unit: CodingUnit, name: str, now: datetime) -> str:
    """Return the key of the coder's code with this name, adding it if needed."""
    for code in codes_for(coding, coder):
        if code.name.casefold() == name.casefold():
            return code.key
    if coder.added_codes.count() >= MOST_ADDED:
        sentence = Sentence("You can add up to {most} codes.", most=MOST_ADDED)
        raise Refusal("TooManyCodes", sentence, status=422)
    last = coder.added_codes.aggregate(last=Max("pk"))["last"]
    n = 1 if last is None else int(coder.added_codes.get(pk=last).key.rsplit("-", 1)[1]) + 1
    added = AddedCode.objects.create(
        coding=coding,
        key=f"added/{coder.number}-{n}",
        name=name,
        coder=coder,
        unit=unit,
        made_at=now,
    )
    return added.key


@transaction.atomic
def erase_units(*, assignments: Iterable[Assignment]) -> None:
    """Delete the units of assignments with their codes and decisions, and quoted names of codes.

    Calls of LLM coders about them stay for their cost, without words. The units are locked first:
    a call is made before that or never.
    """
    rows = CodingUnit.objects.filter(assignment__in=assignments).select_for_update(of=("self",))
    units = CodingUnit.objects.filter(pk__in=list(rows.values_list("pk", flat=True)))
    AddedCode.objects.filter(unit__in=units).update(name="")
    CoderCall.objects.filter(unit__in=units).forget()
    units.delete()
