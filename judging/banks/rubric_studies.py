"""Rubric's files as a study and as the bank that the study draws its entries from."""

from datetime import datetime
from pathlib import Path

from django.db import transaction

from judging.banks.importing import import_bank
from judging.labels.rubric_importing import RubricReport, import_rubric
from judging.models import Instrument


@transaction.atomic
def import_with_bank(
    *, slug: str, bank: Path, now: datetime, passages: Path | None = None, corpus: str = ""
) -> RubricReport:
    """Import a bank and passages graded on it; the study keeps the revision of its bank.

    Raises what `import_rubric` and `import_bank` raise.
    """
    report = import_rubric(slug=slug, bank=bank, passages=passages, corpus=corpus, now=now)
    study = report.study
    made = import_bank(
        corpus=study.corpus, name=slug, content=bank.read_bytes(), by=None, now=now
    ).bank
    instruments = Instrument.objects.filter(study=study, bank=None)
    instruments.update(bank=made, bank_revision=made.revision)
    return report
