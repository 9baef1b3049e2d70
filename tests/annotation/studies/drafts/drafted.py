"""Drafts for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Draft, Study
from annotation.studies.drafts import making
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.launching import make_study
from annotation.studies.drafts.preflight import CHECKS
from annotation.studies.drafts.warnings import DraftState
from annotation.studies.instruments import Fault
from tests.cast import NOW, small_corpus


def judging_document(
    *, method: str = "crowdrag-pairwise", responses: int = 3, topics: int = 1, **said: Any
) -> Any:
    """Return a document that can be launched as it is."""
    document = making.document_of_methods(
        kind="judging",
        instruments=[kind_of("judging").load(method)],
        title="Lamps compared",
        corpus=small_corpus(responses=responses, topics=topics),
    )
    # So few pairs cannot be kept apart from their reverses.
    document.instruments[0]["defaults"]["reversed_share"] = 0.0
    return msgspec.structs.replace(document, contact="Rita, University of Lamps", **said)


def drafted(document: Any = None, *, user: User | None = None, **said: Any) -> Draft:
    return making.make_draft(document=document or judging_document(**said), user=user, now=NOW)


@contextmanager
def temporary_study(*, draft: Draft) -> Iterator[Study]:
    """Yield the study of a draft with its batches, and roll it back. Raises HasFaults."""
    with transaction.atomic():
        yield make_study(draft=draft, user=None)
        transaction.set_rollback(True)


def remarks_of(look: DraftState) -> list[Fault]:
    checks = [check for check in CHECKS.values() if check.of(look.document)]
    return [remark for check in checks for remark in check.remarks(look)]
