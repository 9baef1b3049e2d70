"""Banks with graded answers and rankings for tests of their boards."""

from collections.abc import Callable, Mapping, Sequence

from annotation.models import Corpus, Ranking, Study
from judging.banks import adding, deciding
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.banks.studies import method_of
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.labels.files import LabelLine
from judging.labels.importing import import_lines
from judging.labels.saving import LabelReport
from judging.models import Bank, ItemSlot, Judgment
from judging.raters.registering import register
from tests.cast import NOW

Support = Callable[[str, str, str], float | None]  # system, topic, text of the entry
CODES = {1.0: "support", 0.5: "partial_support", 0.0: "not_support"}


def bank_with(
    entries: Mapping[str, Mapping[str, str]], systems: Sequence[str], *, slug: str = "towers"
) -> Bank:
    """Return a bank (topic -> text -> importance) and an answer of each system to each topic."""
    corpus = Corpus.objects.create(slug=slug, name=slug)
    topics = {key: corpus.topics.create(key=key, query=f"what about {key}?") for key in entries}
    for name in systems:
        system = corpus.systems.create(key=name, name=name.title())
        for key, topic in topics.items():
            corpus.responses.create(
                key=f"{key}/{name}", topic=topic, system=system, text=f"{name} on {key}.",
                style="free", origin="llm", words=3,
            )  # fmt: skip
    bank = adding.make(corpus=corpus, name="b", kind="nuggets", by=None, now=NOW)
    for key, texts in entries.items():
        for text, importance in texts.items():
            new = [NewEntry(topics[key], text, importance=importance)]
            adding.add_all(bank=bank, entries=new, state="confirmed", by=None, now=NOW)
    bank.refresh_from_db()
    return bank


def study_of(bank: Bank, *, slug: str = "support", method: str = "nugget-support") -> Study:
    file = method_of(bank, method=method)
    study = create_study(
        slug=slug, title=slug, corpus=bank.corpus, instruments=[file], seed=1, contact="Rita"
    )
    write_plans(study=study, plans=plans_of(study=study, seed=1))
    return study


def grade(study: Study, support: Support, *, kind: str = "expert", name: str = "Ann") -> None:
    """Grade the entries of answers, as imported labels of one rater; None is no grade."""
    more = {"model": "m"} if kind == "model" else {}
    rater = register(name=name, kind=kind, team=study.team, **more)
    question = study.questions.get()
    of_answers = ItemSlot.objects.filter(item__study=study, response__isnull=False)
    columns = ("item", "response__system__key", "response__topic__key")
    answers = {item: rest for item, *rest in of_answers.values_list(*columns)}
    slots = ItemSlot.objects.filter(item__in=answers, criterion__isnull=False)
    given = [
        (item, name, value)
        for item, name, text in slots.values_list("item", "name", "criterion__definition")
        if (value := support(*answers[item], text)) is not None
    ]
    Judgment.objects.bulk_create(
        Judgment(
            rater=rater, item_id=item, question=question, slot=slot, raw=CODES[value],
            value=CODES[value], score=value, first_at=NOW, answered_at=NOW,
        )
        for item, slot, value in given
    )  # fmt: skip


def rank(bank: Bank, lists: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Save rankings: system -> topic -> keys of its passages."""
    corpus = bank.corpus
    for name, by_topic in lists.items():
        system, _ = corpus.systems.get_or_create(key=name, defaults={"name": name})
        for key, passages in by_topic.items():
            topic = corpus.topics.get(key=key)
            Ranking.objects.bulk_create(
                Ranking(system=system, topic=topic, passage=topic.passages.get(key=p), rank=n)
                for n, p in enumerate(passages, start=1)
            )


BY = {"by": None, "now": NOW}


def entry(bank, text):
    return next(row for row in entries_at(bank) if row.text == text)


def values(shown):
    rows = shown.board.rows
    return {(r["system"], r["measure"]): r["value"] for r in rows.to_dict("records")}


def decided(bank, text, **change):
    row = entry(bank, text)
    deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change(**change), **BY)
    bank.refresh_from_db()


RANKED = {"x": {"t1": ["p1", "p2"]}, "y": {"t1": ["p3"]}}
GRADES = {"p1": (5, 2, 0, 0), "p2": (4, 4, 1, 0), "p3": (0, 0, 3, 1)}  # seed systems, R10
POINTS = ("a", "b", "c", "d")


def ranked_bank(kinds=("", "", "", "")):
    bank = bank_with({"t1": dict(zip(POINTS, kinds, strict=True))}, [])
    topic = bank.corpus.topics.get()
    for n, key in enumerate(GRADES, start=1):
        topic.passages.create(key=key, rank=n, text=f"Text of {key}.")
    rank(bank, RANKED)
    study = study_of(bank, slug="grades", method="nuggets")
    rater = register(name="Ann", kind="expert", team=study.team)
    lines = [
        LabelLine(
            number=1, value=str(grade), topic="t1", comment="",
            contents={"criterion": entry(bank, point).key, "passage": key},
        )
        for key, grades in GRADES.items()
        for point, grade in zip(POINTS, grades, strict=True)
    ]  # fmt: skip
    import_lines(
        study=study, lines=lines, rater=rater, now=NOW, report=LabelReport("f"),
        question=study.questions.get().key,
    )  # fmt: skip
    return bank
