"""Qualifications from before they belonged to a team (`tests.older_database`)."""

from typing import Any

from tests.cast import NOW

NAME = "Reads closely"


def fill(old: Any) -> dict[str, Any]:
    """Two studies of Ada (`giver`, `reader`) and two of others (`rival`, `distant`).

    The giver and its rival gave the qualification, one holder's study is gone; the reader and the
    distant study require it.
    """
    get = old.get_model
    corpus = get("annotation", "Corpus").objects.create(
        slug="lamps", name="Lamps", team=get("annotation", "Team").objects.create()
    )
    users = {
        name: get("auth", "User").objects.create(username=name) for name in ("ada", "rob", "dan")
    }
    studies = {}
    for slug, owner, screening in (
        ("q-giver", "ada", {"gives": NAME}),
        ("q-reader", "ada", {"requires": NAME}),
        ("q-rival", "rob", {}),
        ("q-distant", "dan", {"requires": f" {NAME} "}),
    ):
        team = get("annotation", "Team").objects.create()
        get("annotation", "Membership").objects.create(team=team, user=users[owner], role="owner")
        studies[slug] = get("annotation", "Study").objects.create(
            slug=slug, title=slug, kind="judging", team=team, corpus=corpus, screening=screening
        )
    shared = get("annotation", "Qualification").objects.create(name=NAME, created_at=NOW)
    get("annotation", "Qualification").objects.create(name="Unused", created_at=NOW)
    lost = get("annotation", "Qualification").objects.create(name="Lost", created_at=NOW)
    for name, qualification, study in (
        ("q-one", shared, studies["q-giver"]),
        ("q-two", shared, studies["q-rival"]),
        ("q-three", shared, None),
        ("q-three", lost, None),
    ):
        worker, _ = get("annotation", "Worker").objects.get_or_create(
            platform="link", external_hash=name, defaults={"external_id": b"", "pseudonym": name}
        )
        get("annotation", "Qualified").objects.create(
            qualification=qualification, worker=worker, study=study, given_by="x", given_at=NOW
        )
    return {}


def today() -> dict[str, Any]:
    """By study: the workers who have the qualification of its team, and those it admits."""
    from annotation.fieldwork.work.admission import require_admitted
    from annotation.models import Qualification, Qualified, Study, Worker
    from annotation.refusals import Refusal

    def is_admitted(study: Study, worker: Worker) -> bool:
        try:
            require_admitted(study=study, worker=worker)
        except Refusal as refusal:
            if refusal.code != "NotQualified":
                raise
            return False
        return True

    workers = Worker.objects.filter(pseudonym__startswith="q-").order_by("pseudonym")
    studies = Study.objects.filter(slug__startswith="q-").order_by("slug")
    held = {
        study.slug: sorted(
            Qualified.objects.filter(
                qualification__team=study.team, qualification__name=NAME
            ).values_list("worker__pseudonym", flat=True)
        )
        for study in studies
    }
    return {
        "held": held,
        "admitted": {
            study.slug: [worker.pseudonym for worker in workers if is_admitted(study, worker)]
            for study in studies
        },
        "names": sorted(Qualification.objects.values_list("name", flat=True)),
        "lost": list(
            Qualified.objects.filter(qualification__name="Lost").values_list(
                "worker__pseudonym", flat=True
            )
        ),
    }


def back(old: Any) -> dict[str, Any]:
    rows = old.get_model("annotation", "Qualified").objects.filter(qualification__name=NAME)
    return {"held_before": sorted(rows.values_list("worker__pseudonym", flat=True))}
