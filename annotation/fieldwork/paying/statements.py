"""Sums of pay of each person as CSV. Only reads."""

from collections.abc import Iterable

from annotation.fieldwork.paying.totals import Account
from annotation.models import Contract, Study
from annotation.people.pseudonyms import revealed
from annotation.texts.spreadsheets import Csv

COLUMNS = (
    "worker",
    "submissions_paid",
    "owed",
    "approved",
    "paid",
    "due",
    "bonus",
    "fee",
    "currency",
    "active_hours",
    "submissions_timed",
    "hourly_wage",
)
PERSONAL = ("contract", "name")


def statement(study: Study, accounts: Iterable[Account], *, excel: bool = False) -> str:
    """Return a row for each person, amounts in major units; `due` is approved and not paid yet.

    Where people come by personal links, the id and name by which they are paid are at the end.
    """
    hired = _hired(study) if study.by_personal_link else None
    rows: list[tuple[object, ...]] = [(*COLUMNS, *(PERSONAL if hired is not None else ()))]
    for account in accounts:
        sums = account.sums
        amounts = (sums.owed, sums.approved, sums.paid, sums.due, sums.bonus, sums.fee)
        cells = (
            account.worker.pseudonym,
            account.works,
            *(f"{amount:.2f}" for amount in amounts),
            study.currency,
            f"{account.hours:.4f}",
            account.n,
            "" if account.wage is None else f"{account.wage:.2f}",
            *(hired.get(account.worker.pk, ("", "")) if hired is not None else ()),
        )
        rows.append(cells)
    return Csv(excel=excel, terminator="\n").lines(rows)


def _hired(study: Study) -> dict[int, tuple[str, str]]:
    rows = Contract.objects.filter(study__slug=study.slug).select_related("worker").order_by("pk")
    return {
        contract.worker_id: (
            revealed(contract.worker) if contract.worker.external_id else "",
            contract.name,
        )
        for contract in rows
    }
