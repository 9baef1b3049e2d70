"""A worker from before raters belonged to a team: one rater in studies of two teams."""

from typing import Any

from tests.cast import NOW

SLUGS = ("of-one-team", "of-another-team")


def fill(old: Any) -> dict[str, Any]:
    get = old.get_model
    worker = get("annotation", "Worker").objects.create(
        platform="link", external_hash="b", external_id=b"", pseudonym="bob"
    )
    rater = get("judging", "Rater").objects.create(
        kind="crowd", name="worker bob", pseudonym="bob", worker=worker
    )
    for slug in SLUGS:
        _answer(old, slug=slug, rater=rater)
    return {}


def _answer(old: Any, *, slug: str, rater: Any) -> None:
    """Make a study of one team with one item and one question, and the rater's answer."""

    def make(app: str, model: str, **fields: Any) -> Any:
        return old.get_model(app, model).objects.create(**fields)

    team = make("annotation", "Team")
    corpus = make("annotation", "Corpus", slug=slug, name=slug, team=team)
    study = make(
        "annotation", "Study", slug=slug, title=slug, kind="judging", team=team, corpus=corpus
    )
    topic = make("annotation", "Topic", corpus=corpus, key="t1", query="What is a lamp?")
    about = {"instrument": make("judging", "Instrument", study=study, key="own", position=1)}
    question = make(
        "judging",
        "Question",
        **about,
        study=study,
        key="better",
        position=1,
        text="Which is better?",
        criterion=make("judging", "Criterion", **about, key="better", name="Better"),
        scale=make("judging", "Scale", **about, key="better", kind="options", spec={}),
    )
    item = make(
        "judging", "Item", study=study, topic=topic, kind="pair", key="t1a|t1b", unit="pair:1|2"
    )
    make(
        "judging",
        "Judgment",
        rater=rater,
        item=item,
        question=question,
        raw="a",
        value="t1a",
        first_at=NOW,
        answered_at=NOW,
    )


def today() -> dict[str, Any]:
    from judging.models import Judgment, Rater

    answers = Judgment.objects.filter(item__study__slug__in=SLUGS)
    raters = Rater.objects.filter(pk__in=answers.values("rater"))
    return {
        "own": [answer.rater.team_id == answer.item.study.team_id for answer in answers],
        "teams": raters.values("team").distinct().count(),
        "without": Rater.objects.filter(worker__isnull=False, team=None).count(),
        "pseudonyms": raters.values("pseudonym").distinct().count(),
    }


def back(old: Any) -> dict[str, Any]:
    answers = old.get_model("judging", "Judgment").objects.filter(item__study__slug__in=SLUGS)
    return {
        "raters": answers.values("rater").distinct().count(),
        "answers": answers.count(),
    }
