"""How many votes a list has: as many as there are, whatever happens to the work meanwhile."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import Count
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from analysis.pages.entities import vote_counts as counting
from analysis.pages.entities.vote_counts import vote_counts
from analysis.pages.entities.votes import keep_counts, votes_of
from annotation.fieldwork.review import undoing
from annotation.fieldwork.review.reviewing import decide_all
from annotation.fieldwork.work import assigning
from annotation.models import ReviewDecision
from judging.answering import recording
from judging.labels.importing import import_labels
from judging.labels.removing import remove_labels
from judging.models import rater_of
from judging.raters.registering import register
from tests.cast import (
    HOUR,
    NOW,
    answer_all,
    begun,
    bob,
    charlie,
    rita,
    small_study,
    submitted,
    worker,
)

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
FIELDS = ("question", "item__topic", "rater")
Decision = ReviewDecision.Decision


@pytest.fixture
def study():
    return small_study(topics=2, responses=3, items=3, quota=4, cap=2)


@pytest.fixture
def parts_of_one(monkeypatch):
    """Every id is a part of its own, as long as there are few."""
    monkeypatch.setattr(counting, "LEAST_WORKS", 1)
    monkeypatch.setattr(counting, "MOST_PARTS", 1_000)


def there_are(study, by):
    """Return the database's counts, all at once."""
    return dict(votes_of(study).order_by().values_list(by).annotate(n=Count("*")))


def agree(study):
    for by in FIELDS:
        # Twice: what was kept says the same as what was counted.
        for _ in range(2):
            said = vote_counts(study, votes_of(study), by=by)
            assert {key: n for key, n in said.items() if n} == there_are(study, by)


def decided(work, decision, hours):
    work.refresh_from_db()
    return decide_all(
        study=work.study,
        works=[work.pk],
        decision=decision,
        reviewer="rita",
        now=NOW + hours * HOUR,
        reason="Please read the right text once more." * 4,
    )


@pytest.mark.parametrize("size", ["one part", "parts of one"])
def test_it_is_what_the_database_counts_whatever_happens(study, tmp_path, size, request):
    if size == "parts of one":
        request.getfixturevalue("parts_of_one")
    agree(study)
    first, second = submitted(study, bob()), submitted(study, charlie())
    agree(study)
    decided(first, Decision.REDO, 1)  # open again: it does not count
    agree(study)
    answer_all(first, now=NOW + 2 * HOUR)
    recording.submit(assignment=first, now=NOW + 3 * HOUR)
    agree(study)
    decided(second, Decision.REJECT, 4)
    agree(study)
    third = submitted(study, worker("dora"), now=NOW + 4 * HOUR)
    decided(first, Decision.ACCEPT, 5)
    agree(study)
    ann = register(name="Ann", kind="expert", team=study.team)
    file = tmp_path / "labels.csv"
    file.write_text("item,value\n" + "".join(f"{item.key},n\n" for item in study.items.all()))
    import_labels(study=study, path=file, rater=ann, now=NOW)
    agree(study)
    assigning.withdraw(assignment=third, now=NOW + 6 * HOUR)
    agree(study)
    remove_labels(study=study, rater=ann, expected=study.items.count())
    agree(study)


def test_only_parts_whose_work_is_another_are_counted_again(study, parts_of_one, monkeypatch):
    seen = []
    counted = counting._counted

    def watched(votes, by, width, only):
        seen.append(sorted(only))
        return counted(votes, by, width, only)

    monkeypatch.setattr(counting, "_counted", watched)
    submitted(study, bob())
    vote_counts(study, votes_of(study), by="question")
    vote_counts(study, votes_of(study), by="question")
    later = submitted(study, charlie(), now=NOW + HOUR)
    vote_counts(study, votes_of(study), by="question")
    assert seen == [[], [later.pk]]  # all of it, nothing, what came


def test_what_is_opened_again_while_it_is_counted_is_not_kept(study, monkeypatch):
    work = submitted(study, bob())
    counted, acts = counting._counted, []

    def slowly(*asked):
        acts.append(decided(work, Decision.REDO, 1))
        return counted(*asked)

    with monkeypatch.context() as patched:
        patched.setattr(counting, "_counted", slowly)
        vote_counts(study, votes_of(study), by="question")
    undoing.undo(act=acts[0], reviewer="rita", now=NOW + 2 * HOUR)  # as it was handed in
    agree(study)


def test_votes_that_are_another_persons_now_are_theirs(study):
    """What a stranger did under somebody's id gets a pseudonym of its own."""
    work = submitted(study, bob())
    agree(study)
    stranger = worker("stranger")
    type(work).objects.filter(pk=work.pk).update(worker=stranger)
    work.judgments.update(rater=rater_of(stranger, team=study.team_id))
    agree(study)


def test_parts_are_few_however_many_works_there_are():
    works = [(pk, 1, NOW + timedelta(minutes=pk)) for pk in range(7, 90_000, 3)]
    width = counting._width(works)
    assert 1 < len(counting._digests(works, width)) <= counting.MOST_PARTS + 1
    assert width % counting.LEAST_WORKS == 0


def test_once_counted_a_list_asks_for_no_vote_but_those_that_it_shows(client, study):
    submitted(study, bob())
    begun(study, charlie())
    keep_counts(study)
    client.force_login(rita())
    address = reverse("vote_list", args=[study.slug, study.version])
    for sort in ("", "question__position", "item__topic__query", "rater__pseudonym"):
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(f"{address}?sort={sort}")
        assert answer.context["page"].paginator.count == votes_of(study).count() == 3
        counting_votes = [
            query["sql"]
            for query in captured.captured_queries
            if "judging_judgment" in query["sql"] and "COUNT(" in query["sql"]
        ]
        # Labels, which are of no work, are counted each time.
        assert all('"assignment_id" IS NULL' in sql.split("GROUP BY")[0] for sql in counting_votes)
        assert len(counting_votes) == 1
