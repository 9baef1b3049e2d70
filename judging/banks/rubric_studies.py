"""Import of Rubric files as a study together with its bank."""

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
    """Import a bank and its graded passages; the study records the revision of the bank.

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
