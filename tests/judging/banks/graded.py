"""A bank with many grades, made in bulk."""

from msgspec.structs import replace

from annotation.models import Passage
from judging.banks.studies import method_of
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.models import Bank, ItemSlot, Judgment
from judging.raters.registering import register
from tests.cast import NOW
from tests.judging.banks.cast import bank_of
from tests.judging.queries.cast import passages


def graded_bank(*, texts: int, entries: int) -> Bank:
    """Return a bank with two grades of each text on each entry, about one topic.

    A person grades text `t` on entry `e` with (t + e) % 6, a model always with 5.
    """
    corpus = passages()
    topic = corpus.topics.get(key="t1")
    topic.passages.all().delete()
    Passage.objects.bulk_create(
        Passage(topic=topic, key=f"text-{n:04}", rank=n + 1, text=f"Text {n}.")
        for n in range(texts)
    )
    bank = bank_of([f"Fact {n:04}" for n in range(entries)], corpus=corpus, state="confirmed")
    method = method_of(bank)
    whole = replace(method, defaults=replace(method.defaults, depth=texts))
    study = create_study(
        slug="graded", title="Graded", corpus=corpus, instruments=[whole], seed=1, contact="Rita"
    )
    write_plans(study=study, plans=plans_of(study=study, seed=1))
    question = study.questions.get()
    person = register(name="Ann", kind="expert", team=study.team)
    model = register(name="judge", kind="model", team=study.team, model="m")
    sums: dict[int, int] = {}
    slots = ItemSlot.objects.filter(item__study=study)
    for item, passage, fact in slots.values_list("item", "passage__key", "criterion__name"):
        sums[item] = sums.get(item, 0) + int((passage or fact)[-4:])
    Judgment.objects.bulk_create(
        (
            Judgment(
                item_id=item, question=question, rater=rater, raw=str(grade), value=str(grade),
                score=grade, first_at=NOW, answered_at=NOW,
            )
            for item, total in sums.items()
            for rater, grade in ((person, total % 6), (model, 5))
        ),
        batch_size=2000,
    )  # fmt: skip
    return bank
