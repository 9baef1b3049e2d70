"""Who is owed what, as a CSV that a spreadsheet opens. Only reads."""

import csv
from collections.abc import Iterable
from io import StringIO

from annotation.models import Study
from annotation.paying.totals import Account
from annotation.texts.spreadsheets import defused

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


def statement(study: Study, accounts: Iterable[Account]) -> str:
    """A row for each person, amounts in major units; `due` is approved and not paid yet."""
    text = StringIO()
    file = csv.writer(text, lineterminator="\n")
    file.writerow(COLUMNS)
    for each in accounts:
        sums = each.sums
        amounts = (sums.owed, sums.approved, sums.paid, sums.due, sums.bonus, sums.fee)
        cells = (
            each.worker.pseudonym,
            each.works,
            *(f"{amount:.2f}" for amount in amounts),
            study.currency,
            f"{each.hours:.4f}",
            each.n,
            "" if each.wage is None else f"{each.wage:.2f}",
        )
        file.writerow([defused(cell) for cell in cells])
    return text.getvalue()
