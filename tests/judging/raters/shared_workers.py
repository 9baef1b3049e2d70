"""Workers of the days when they were one rater in the studies of all teams (`tests.earlier`)."""

from typing import Any

BEFORE = [
    ("annotation", "0059_a_study_names_any_number_of_methods"),
    ("judging", "0025_edited_entries_are_new_entries"),
]
SLUG = "of-another-team"


def fill(old: Any) -> dict[str, Any]:
    """A worker who has answered answers in a study of another team as well."""
    get = old.get_model
    answer = (
        get("judging", "Judgment").objects.filter(rater__worker__isnull=False).order_by("pk")[0]
    )
    before = answer.item.study
    study = get("annotation", "Study").objects.create(
        slug=SLUG,
        title=SLUG,
        kind="judging",
        team=get("annotation", "Team").objects.create(),
        corpus=before.corpus,
    )
    item = get("judging", "Item").objects.create(
        study=study, topic=answer.item.topic, kind=answer.item.kind, key="1", unit="pair:1"
    )
    get("judging", "Judgment").objects.create(
        rater=answer.rater,
        item=item,
        question=answer.question,
        value=answer.value,
        raw=answer.raw,
        first_at=answer.first_at,
        answered_at=answer.answered_at,
    )
    return {"worker": answer.rater.worker_id, "other": before.slug}


def today() -> dict[str, Any]:
    from judging.models import Judgment, Rater

    answer = Judgment.objects.get(item__study__slug=SLUG)
    raters = Rater.objects.filter(worker=answer.rater.worker_id)
    return {
        "teams": raters.count() == raters.values("team").distinct().count() == 2,
        "own": answer.rater.team_id == answer.item.study.team_id,
        "others": not Judgment.objects.filter(rater=answer.rater)
        .exclude(item__study__team=answer.rater.team_id)
        .exists(),
        "without": Rater.objects.filter(worker__isnull=False, team=None).count(),
        "pseudonyms": raters.values("pseudonym").distinct().count(),
    }


def back(old: Any) -> dict[str, Any]:
    answers = old.get_model("judging", "Judgment").objects
    one = answers.get(item__study__slug=SLUG)
    raters = old.get_model("judging", "Rater").objects.filter(worker_id=one.rater.worker_id)
    found = {"raters": raters.count(), "answers": answers.filter(rater_id=one.rater_id).count()}
    old.get_model("annotation", "Study").objects.filter(slug=SLUG).delete()
    return found
