"""Votes and labels of structured summaries that are not used are counted with the reason."""

import pytest

from judging.models import Judgment
from tests.analysis.analyses.test_summaries import rows_of
from tests.analysis.analyses.test_summary_studies import studied
from tests.analysis.runs.polls import analysed

pytestmark = [pytest.mark.django_db, pytest.mark.analyses("summaries")]


def test_every_vote_of_a_model_in_two_orders_is_counted_or_named():
    study = studied()
    model = Judgment.objects.filter(rater__kind="model").values_list("pk", flat=True)
    again = list(Judgment.objects.filter(pk__in=model).select_related("question"))
    for judgment in again:
        judgment.pk, judgment.shown = None, "b,a"
    Judgment.objects.filter(pk__in=model).update(shown="a,b")
    Judgment.objects.bulk_create(again)
    by_people = analysed(study, pool="experts")
    reasons = {row["about"]: row["reason"] for row in rows_of(by_people, "undefined")}
    parts = len(again) - 36 - 72  # without preferences and labels of comprehensiveness
    assert reasons["models"].startswith(f"{parts:,} of {2 * parts:,} labels")
    by_model = analysed(study, pool="models")
    reasons = {row["about"]: row["reason"] for row in rows_of(by_model, "undefined")}
    assert reasons["preference@models"].startswith("36 of 72 preference votes")
    assert reasons["models"].startswith(f"{parts:,} of {2 * parts:,} labels")
    (mar,) = rows_of(by_model, "agreement", foretold_by="given weights")
    assert mar["labels"] == 18
