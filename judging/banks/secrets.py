"""Removal of secret bank entries from documents of studies and drafts."""

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from annotation.models import Study
from judging.banks.entries_at import entries_at
from judging.models import Bank

CHECKS = ("gold", "training")  # lists of an instrument that may refer to an entry
Data = dict[str, Any]


def secret_keys(study: Study) -> frozenset[str]:
    """Return the keys of the entries that are currently secret in the banks of a study."""
    return _secret(Bank.objects.filter(instruments__study=study).distinct())


def public(document: Data) -> Data:
    """Return a copy of the document without secret entries and the checks that refer to them."""
    parts = document.get("instruments", [])
    names = {name for part in parts if (name := part.get("bank"))}
    if not names:
        return document
    banks = Bank.objects.filter(corpus__slug=document.get("corpus", ""), name__in=names)
    secret = _secret(banks)
    return document | {"instruments": [_without(part, secret) for part in parts]}


def _secret(banks: "QuerySet[Bank]") -> frozenset[str]:
    return frozenset(row.key for bank in banks for row in entries_at(bank) if row.secret)


def _without(instrument: Data, secret: Collection[str]) -> Data:
    criteria = [part for part in instrument.get("criteria", []) if part["key"] not in secret]
    checks = {
        name: [check for check in instrument[name] if not any(k in check["item"] for k in secret)]
        for name in CHECKS
        if name in instrument
    }
    return instrument | {"criteria": criteria} | checks
