"""Studies of the days when a study was one instrument (`tests.earlier`)."""

from typing import Any

BEFORE = [("annotation", "0012_exposure_is_what_a_worker_has_met")]
BEFORE.append(("judging", "0003_questionnaires_are_examined"))
STUDIES = ("pairs", "scored", "asked")


def fill(old: Any) -> dict[str, Any]:
    judged(old)
    draft(old, slug="scored", instrument="crowdrag-pointwise")
    draft(old, slug="asked", instrument="")
    return {"before": {name: stored(old, name) for name in ROWS}}


def back(old: Any) -> dict[str, Any]:
    criteria = old.get_model("judging", "Criterion").objects.order_by("pk")
    names = old.get_model("judging", "Rater").objects.filter(name__startswith="Ann")
    return {
        "back": {name: stored(old, name) for name in ROWS},
        "criteria": list(criteria.values_list("study__slug", "key")),
        "raters": list(names.order_by("pk").values_list("name", flat=True)),
    }


def draft(old: Any, *, slug: str, instrument: str) -> Any:
    """A judging study of one question, without items."""
    corpora = old.get_model("annotation", "Corpus").objects
    study = old.get_model("annotation", "Study").objects.create(
        slug=slug,
        title=f"Study {slug}",
        kind="judging",
        corpus=corpora.get_or_create(slug="lamps", name="Lamps")[0],
        instrument=instrument,
        instructions="Read both.",
        seed=1,
    )
    about = {"study": study, "key": "better"}
    options = [{"code": "a", "label": "Left", "role": "slot", "slot": "a"}]
    old.get_model("judging", "Question").objects.create(
        **about,
        position=1,
        text="Which is better?",
        criterion=old.get_model("judging", "Criterion").objects.create(**about, name="Better"),
        scale=old.get_model("judging", "Scale").objects.create(
            **about, kind="options", spec={"key": "better", "kind": "options", "options": options}
        ),
    )
    return study


def judged(old: Any) -> None:
    """A study of pairs, with a judgment and a remark."""
    from django.utils import timezone

    def make(model: str, **fields: Any) -> Any:
        app = "judging" if model in JUDGING else "annotation"
        return old.get_model(app, model).objects.create(**fields)

    now = timezone.now()
    study = draft(old, slug="pairs", instrument="crowdrag-pairwise")
    topic = make("Topic", corpus=study.corpus, key="t1", query="what is a lamp?")
    design = {"kind": "pair", "designer": "all_pairs", "quota": 5, "seed": 1, "topics": None}
    batch = make("Batch", study=study, number=1, name="main", design=design)
    task = make("Task", batch=batch, number=1, quota=5)
    worker = make("Worker", platform="link", external_hash="b", external_id=b"", pseudonym="bob")
    work = old.get_model("annotation", "Assignment")(
        task=task, study=study, worker=worker, arrived_at=now, expires_at=now
    )
    work.token = "b"
    work.save()
    item = make("Item", study=study, kind="pair", key="t1a|t1b", unit="pair:1|2", topic=topic)
    for position, name in enumerate("ab", start=1):
        words = {"text": "Lamps shine.", "words": 2, "style": "essay", "origin": "llm"}
        text = make("Response", corpus=study.corpus, topic=topic, key=f"t1{name}", **words)
        make("ItemSlot", item=item, name=name, position=position, response=text)
    make("TaskItem", task=task, item=item, position=1)
    make("Showing", assignment=work, item=item, position=1, order="b,a", comment="Both are short.")
    make(
        "Judgment",
        rater=make("Rater", kind="crowd", name="worker bob", worker=worker),
        item=item,
        question=study.questions.get(),
        shown="b,a",
        assignment=work,
        raw="a",
        value="t1b",
        first_at=now,
        answered_at=now,
    )
    make(
        "Judgment",
        rater=make("Rater", kind="expert", name="Ann"),
        item=item,
        question=study.questions.get(),
        raw="a",
        value="t1a",
        first_at=now,
        answered_at=now,
    )


ROWS = ("Showing", "Judgment", "TaskItem")
JUDGING = {"Item", "ItemSlot", "TaskItem", "Showing", "Rater", "Judgment"}


def stored(old: Any, model: str) -> list[dict[str, Any]]:
    rows = old.get_model("judging", model).objects.filter(item__study__slug__in=STUDIES)
    return list(rows.order_by("pk").values())


def today() -> dict[str, Any]:
    """What the models of today read."""
    from judging.answering.recording import questions_of
    from judging.models import Instrument, Judgment, Presentation, TaskItem

    instruments = {
        each.study.slug: [each.pk, each.key, each.title, each.item_kind, each.designer, each.design]
        for each in Instrument.objects.filter(study__slug__in=STUDIES).select_related("study")
    }
    asked = {
        slug: {
            pk: list(questions)
            for pk, questions in questions_of(Instrument.objects.get(pk=row[0]).study_id).items()
        }
        for slug, row in instruments.items()
    }
    _ask_for_analyses()
    raters = _name_another_ann()
    models = {"Showing": Presentation, "Judgment": Judgment, "TaskItem": TaskItem}
    rows = {}
    for name, model in models.items():  # other modules have studies of their own by now
        mine = model._default_manager.filter(item__study__slug__in=STUDIES)
        rows[name] = list(mine.order_by("pk").values())
    return {"after": {"instruments": instruments, "asked": asked, "rows": rows, "raters": raters}}


def _name_another_ann() -> dict[str, str | None]:
    """Whose the raters of those days are; then another study has an expert of the same name."""
    from annotation.models import Study
    from judging.models import Rater
    from judging.raters.registering import register

    raters = Rater.objects.filter(judgments__item__study__slug="pairs")
    found = dict(raters.values_list("name", "team__studies__slug"))
    register(name="Ann", kind="expert", team=Study.objects.get(slug="scored").team)
    return found


def _ask_for_analyses() -> None:
    """Of one pool in both ways: the way back has room for one of them."""
    from django.utils import timezone

    from analysis.models import AnalysisRequest
    from annotation.models import Study

    study, now = Study.objects.get(slug="pairs"), timezone.now()
    for machines in (False, True):
        AnalysisRequest.objects.create(study=study, with_machines=machines, touched_at=now)
