"""A large study with simulated votes, written in bulk past the doors of live work."""

from datetime import UTC, datetime, timedelta
from io import StringIO
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

SLUG = "million"
RESPONSES, QUOTA, TASKS_A_WORKER, SPAMMERS = 6, 7, 4, 0.15
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
EQUAL = 0.5  # merits nearer than this are equal


def build(topics: int) -> int:
    """Write the study, its batch open; return the number of judgments. Runs in a child."""
    import django

    django.setup()
    from django.db import connection, transaction

    with transaction.atomic():
        study, tasks = _designed(topics)
        assignments = _assigned(study, tasks)
        judgments = _answered(study, assignments)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # what autovacuum would have done by now
    return judgments


def _designed(topics: int) -> tuple[Any, list[Any]]:
    """Corpus, study, items and questionnaires: the pairs of a topic are one."""
    from annotation.studies import batching
    from annotation.studies.creating import next_batch
    from judging.design import designing
    from judging.design.designing import DesignedQuestionnaire, PlannedPage
    from judging.designers.questionnaires import PlannedItem
    from judging.instruments.files import load

    corpus, texts = _corpus(topics)
    study = designing.create_study(
        slug=SLUG,
        title="A million judgments",
        corpus=corpus,
        instruments=[load("crowdrag-pairwise")],
        seed=1,
        contact="nobody: a benchmark",
        tasks_per_worker=TASKS_A_WORKER,
    )
    planned = [
        PlannedItem((a.pk, b.pk), a.topic_id, a.words + b.words, frozenset((a.pk, b.pk)))
        for some in texts
        for a, b in combinations(some, 2)
    ]
    items = designing.write_items(study=study, kind="pair", planned=planned)
    batch = next_batch(study=study, name="main")
    instrument = study.instruments.get()
    pages = [PlannedPage(item, instrument) for item in items]
    size = len(items) // topics
    tasks = designing.write_questionnaires(
        batch=batch,
        sheets=[
            DesignedQuestionnaire(pages[at : at + size], QUOTA, 1500)
            for at in range(0, len(pages), size)
        ],
    )
    batching.open_batch(batch=batch, now=NOW)
    return study, tasks


def _corpus(topics: int) -> tuple[Any, list[list[Any]]]:
    """Topics with six responses each, of people and of models in three styles."""
    from annotation.models import Corpus, Response, System, Topic

    corpus = Corpus.objects.create(slug=SLUG, name=SLUG)
    systems = System.objects.bulk_create(
        System(corpus=corpus, key=key, name=key) for key in ("people", "model")
    )
    made = Topic.objects.bulk_create(
        Topic(corpus=corpus, key=f"t{n:05}", query=f"what is {n}?") for n in range(topics)
    )
    responses = Response.objects.bulk_create(
        (
            Response(
                corpus=corpus,
                topic=topic,
                key=f"{topic.key}-{at}",
                style=("bullet", "essay", "news")[at % 3],
                origin=("human", "llm")[at // 3],
                system=systems[at // 3],
                text=f"Response {at} to {topic.query} " + "with some more words " * 20,
                words=85,
            )
            for topic in made
            for at in range(RESPONSES)
        ),
        batch_size=2000,
    )
    return corpus, [responses[at : at + RESPONSES] for at in range(0, len(responses), RESPONSES)]


def _assigned(study: Any, tasks: list[Any]) -> list[Any]:
    """Every place taken by somebody who has handed in, in the order of places."""
    from annotation.models import Assignment, Place, Worker
    from judging.models import Rater

    people = Worker.objects.bulk_create(
        (
            Worker(platform="bench", external_hash=f"{n:064x}", external_id=b"", pseudonym=f"w{n}")
            for n in range(-(-len(tasks) * QUOTA // TASKS_A_WORKER) + QUOTA)
        ),
        batch_size=2000,
    )
    Rater.objects.bulk_create(
        (
            Rater(
                kind="crowd",
                name=f"worker {name}",
                pseudonym=name,
                worker=person,
                team_id=study.team_id,
            )
            for person in people
            for name in [person.pseudonym]
        ),
        batch_size=2000,
    )
    places = list(Place.objects.filter(task__in=tasks).order_by("task__number", "number"))
    assignments = Assignment.objects.bulk_create(
        (
            Assignment(
                task_id=place.task_id,
                study=study,
                worker=people[at % len(people)],
                state="submitted",
                arrived_at=NOW,
                started_at=NOW,
                submitted_at=NOW + 12 * MINUTE,
                expires_at=NOW + 60 * MINUTE,
            )
            for at, place in enumerate(places)
        ),
        batch_size=2000,
    )
    for place, assignment in zip(places, assignments, strict=True):
        place.assignment = assignment
    Place.objects.bulk_update(places, ["assignment"], batch_size=500)
    return assignments


def _answered(study: Any, assignments: list[Any]) -> int:
    """Presentations and judgments by COPY."""
    from judging.models import Judgment, Presentation, Rater, TaskItem

    rng = np.random.default_rng(study.seed)
    rater = dict(Rater.objects.values_list("worker_id", "pk"))
    seats = pd.DataFrame(
        {
            "assignment_id": [assignment.pk for assignment in assignments],
            "task_id": [assignment.task_id for assignment in assignments],
            "rater_id": [rater[assignment.worker_id] for assignment in assignments],
        }
    )
    listed = pd.DataFrame.from_records(
        TaskItem.objects.order_by().values_list("task_id", "item_id", "position", "item__key"),
        columns=["task_id", "item_id", "position", "key"],
    )
    shown = seats.merge(listed, on="task_id")
    shown["shown"] = np.where(rng.random(len(shown)) < 0.5, "a,b", "b,a")
    presentations = shown[["assignment_id", "item_id", "position", "shown"]].assign(
        instrument_id=study.instruments.get().pk, comment=""
    )
    presentations = presentations.rename(columns={"shown": "order"})
    copy_rows(Presentation, presentations)
    for question in study.questions.select_related("scale"):
        copy_rows(Judgment, _votes(shown, question, rng))
    return Judgment.objects.count()


def _votes(shown: pd.DataFrame, question: Any, rng: np.random.Generator) -> pd.DataFrame:
    """One question's answers: of the competent by merit, of the others by chance."""
    merit = pd.Series(rng.standard_normal(RESPONSES * len(shown)))
    a, b = (shown["key"].str.split("|").str[side] for side in (0, 1))
    texts = pd.factorize(pd.concat([a, b]))[0]
    gap = merit[texts[: len(shown)]].to_numpy() - merit[texts[len(shown) :]].to_numpy()
    ties = any(option["role"] == "tie" for option in question.scale.spec["options"])
    known = rng.beta(8, 3, shown["rater_id"].max() + 1)
    known[rng.random(len(known)) < SPAMMERS] = 0.05
    knows = rng.random(len(shown)) < known[shown["rater_id"]]
    truth = np.where(gap > 0, "a", "b")
    if ties:
        truth = np.where(np.abs(gap) < EQUAL, "n", truth)
    label = np.where(knows, truth, rng.choice(list("anb" if ties else "ab"), len(shown)))
    mirrored = np.where(label == "a", "b", np.where(label == "b", "a", "n"))
    return pd.DataFrame(
        {
            "rater_id": shown["rater_id"],
            "item_id": shown["item_id"],
            "question_id": question.pk,
            "slot": "",
            "shown": shown["shown"],
            "assignment_id": shown["assignment_id"],
            "raw": np.where(shown["shown"] == "a,b", label, mirrored),
            "value": np.where(label == "a", a, np.where(label == "b", b, "n")),
            "milliseconds": rng.integers(3_000, 90_000, len(shown)),
            "comment": "",
            "changes": 0,
            "first_at": NOW.isoformat(),
            "answered_at": NOW.isoformat(),
        }
    )


def copy_rows(model: Any, frame: pd.DataFrame) -> None:
    """COPY a frame whose columns are those of the table; empty texts stay texts."""
    from django.db import connection

    columns = ", ".join(f'"{name}"' for name in frame.columns)
    texts = ", ".join(name for name in ("slot", "shown", "comment") if name in frame.columns)
    kept = f", FORCE_NOT_NULL ({texts})" if texts else ""
    sql = f"COPY {model._meta.db_table} ({columns}) FROM STDIN WITH (FORMAT csv{kept})"
    with connection.cursor() as cursor, cursor.copy(sql) as copy:
        for at in range(0, len(frame), 50_000):
            text = StringIO()
            frame.iloc[at : at + 50_000].to_csv(text, header=False, index=False)
            copy.write(text.getvalue())
