"""The fixed tiny cast of all tests, and the small studies they play in.

Alice writes, Bob judges, Charlie is not invited, Rita researches.
"""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import urlencode

from django.contrib.auth.models import User

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.ownership import Proof, proof_of
from annotation.models import (
    Assignment,
    Batch,
    Corpus,
    Passage,
    Response,
    Segment,
    Study,
    Worker,
)
from annotation.people.pseudonyms import worker_for
from annotation.studies import batching
from judging.answering import recording
from judging.design import designing
from judging.design.plans import plans_of
from judging.instruments.files import load
from judging.instruments.schema import (
    CriterionSpec,
    InstrumentFile,
    OptionSpec,
    QuestionSpec,
    ScaleSpec,
)
from judging.items import drawing
from writing.instruments import files as writing_instruments
from writing.models import Writing
from writing.studies import designing as writing

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)

PREFERENCE = ScaleSpec(
    key="preference",
    kind="options",
    options=[
        OptionSpec(code="a", label="Left", role="slot", slot="a"),
        OptionSpec(code="n", label="Equal", role="tie"),
        OptionSpec(code="b", label="Right", role="slot", slot="b"),
    ],
)


def worker(name: str, *, platform: str = "prolific") -> Worker:
    return worker_for(platform=platform, external_id=prolific_id(name), pseudonym=name)


def prolific_id(name: str) -> str:
    """24 hex digits, as Prolific's ids of people and submissions have."""
    return hashlib.sha256(name.encode()).hexdigest()[:24]


def prolific_link(name: str, *, slug: str = "lamps", submission: str = "first") -> str:
    """Return the link of a study as Prolific fills it in for a submission."""
    ids = {
        "PROLIFIC_PID": prolific_id(name),
        "STUDY_ID": prolific_id(slug),
        "SESSION_ID": prolific_id(f"{submission} of {name}"),
    }
    return f"/s/{slug}/?{urlencode(ids)}"


def proof(name: str, *, submission: str = "first") -> Proof:
    """Return the proof of a worker who comes by `prolific_link` in a new browser."""
    session = prolific_id(f"{submission} of {name}")
    return proof_of(platform="prolific", submission=session, browser="")


def alice() -> Worker:
    return worker("alice")


def bob() -> Worker:
    return worker("bob")


def charlie() -> Worker:
    return worker("charlie")


def rita() -> User:
    return User.objects.create_superuser("rita", password="a long password")


def tiny_instrument(*, item_kind: str = "pair", **changes: Any) -> InstrumentFile:
    """One question on a three-point preference; `changes` are further fields of the file."""
    parts: dict[str, Any] = {
        "name": "tiny",
        "title": "Tiny",
        "source": "the tests",
        "instructions": "Read both.",
        "consent": "You may stop at any time.",
        "criteria": [CriterionSpec("better", "Better", "Which one would you rather read?")],
        "scales": [PREFERENCE],
        "questions": [QuestionSpec("better", "better", "preference", "Which text is better?")],
    }
    return InstrumentFile(item_kind=item_kind, **(parts | changes))


def small_corpus(
    *, slug: str = "lamps", topics: int = 1, responses: int = 2, author: Worker | None = None
) -> Corpus:
    """Topics with a few responses each, of growing length; `author` wrote the first of each."""
    corpus = Corpus.objects.create(slug=slug, name=slug)
    for number in range(1, topics + 1):
        topic = corpus.topics.create(key=f"t{number}", query=f"what is lamp {number}?")
        for letter in "abcdefgh"[:responses]:
            words = 20 + 7 * number + 3 * ord(letter)
            Response.objects.create(
                corpus=corpus,
                topic=topic,
                key=f"t{number}{letter}",
                style="essay",
                origin="human" if letter in "aceg" else "llm",
                author=author if letter == "a" else None,
                text=f"Text {letter} about lamp {number}.",
                words=words,
            )
    return corpus


def in_sections(response: Response) -> None:
    """Give a text an overview and two sections, with a heading and two statements each.

    The overview cites the topic's passages, the statements two, one, one and none of them.
    """
    passages = list(response.topic.passages.all())
    lines = count(1)

    def cite(segment: Segment, cited: Sequence[Passage]) -> None:
        for passage in cited:  # `set` writes them in no order, and the key of an item follows it
            segment.cited.add(passage)

    def part(kind: str, text: str, parent: Segment | None = None) -> Segment:
        return Segment.objects.create(
            response=response, kind=kind, text=text, parent=parent, line=next(lines)
        )

    cite(part("overview", f"All of {response.key} in short."), passages)
    for number in (1, 2):
        section = part("section", "")
        part("heading", f"Heading {number} of {response.key}", section)
        for letter in "ab":
            statement = part("statement", f"Statement {number}{letter}.", section)
            cite(statement, passages[: 3 - number - (letter == "b")])


def draft_study(
    *,
    instrument: InstrumentFile | str = "",
    instruments: Sequence[InstrumentFile] = (),
    corpus: Corpus | None = None,
    topics: int = 1,
    responses: int = 2,
    seed: int = 1,
    cap: int = 1,
    **settings: Any,
) -> Study:
    """Return a study that is not launched yet.

    `instrument` may be the name of one that comes along.
    """
    if not instrument:
        instrument = tiny_instrument()
    elif isinstance(instrument, str):
        instrument = load(instrument)
    return designing.create_study(
        slug=settings.pop("slug", "lamps"),
        title="Lamps",
        corpus=corpus or small_corpus(topics=topics, responses=responses),
        instruments=instruments or [instrument],
        seed=seed,
        tasks_per_worker=cap,
        contact="Rita, University of Lamps.",
        **settings,
    )


def design_batch(
    study: Study, *, items: int = 15, quota: int = 1, reversed_share: float = 0
) -> Batch:
    """Return a draft batch: questionnaires of `items` over all of the corpus."""
    plans = plans_of(
        study=study,
        seed=study.seed,
        items_per_questionnaire=items,
        quota=quota,
        reversed_share=reversed_share,
    )
    return designing.write_plans(study=study, plans=plans)


def small_study(
    *,
    items: int = 15,
    quota: int = 1,
    reversed_share: float = 0,
    batch: dict[str, Any] | None = None,
    **of_study: Any,
) -> Study:
    """Return an open judging study with few rows; `batch` are further fields of its batch."""
    study = draft_study(**of_study)
    return open_study(
        study, items=items, quota=quota, reversed_share=reversed_share, batch=batch or {}
    )


def open_study(study: Study, *, batch: dict[str, Any] | None = None, **of_design: Any) -> Study:
    """Return the study with a batch that is open."""
    drafted = design_batch(study, **of_design)
    Batch.objects.filter(pk=drafted.pk).update(**(batch or {}))
    batching.open_batch(batch=drafted, now=NOW)
    study.refresh_from_db()
    return study


def begun(
    study: Study, person: Worker, *, now: datetime = NOW, proof: Proof = assigning.NOTHING
) -> Assignment:
    """Arrive and consent as the person."""
    place = assigning.claim(study=study, worker=person, now=now, proof=proof)
    return assigning.begin(assignment=place, now=now)


def answer_all(assignment: Assignment, *, now: datetime = NOW) -> int:
    """Answer every question of every item with its first option; return how many."""
    presentations = drawing.draw_presentations(assignment=assignment)
    questions = recording.questions_of(assignment.study_id)
    given = [
        recording.GivenAnswer(presentation.position, key, question.scale.spec["options"][0]["code"])
        for presentation in presentations
        for key, question in questions[presentation.instrument_id].items()
    ]
    recording.record(assignment=assignment, answers=given, now=now)
    return len(given)


def submitted(study: Study, person: Worker, *, now: datetime = NOW) -> Assignment:
    """Do a whole task as the person, and submit it."""
    assignment = begun(study, person, now=now)
    answer_all(assignment, now=now)
    return recording.submit(assignment=assignment, now=now + 10 * MINUTE)


def handed_in(assignment: Assignment, *, now: datetime = NOW) -> Assignment:
    """Work that was begun is done, as briefly as its kind allows, and handed in."""
    if assignment.study.kind == Study.Kind.JUDGING:
        answer_all(assignment, now=now)
        return recording.submit(assignment=assignment, now=now)
    text = {"acknowledged_at": now, "text": "Lamps shine.", "verdict": Writing.Verdict.EQUAL}
    Writing.objects.get_or_create(assignment=assignment, defaults=text)
    return assigning.submit(assignment=assignment, now=now)


def writing_study(
    *,
    topics: int = 1,
    passages: int = 3,
    cap: int = 1,
    styles: tuple[str, ...] = ("essay",),
    of_corpus: str = "lamps",
    **settings: Any,
) -> Study:
    """Return an open writing study: each topic in each style, with a few passages to write from."""
    corpus = small_corpus(slug=of_corpus, topics=topics, responses=0)
    for topic in corpus.topics.all():
        for rank in range(1, passages + 1):
            topic.passages.create(
                key=f"{topic.key}p{rank}",
                rank=rank,
                title=f"Page {rank}",
                text=f"Passage {rank} tells that lamp {topic.key} shines in colour {rank}.",
            )
    study = writing.create_study(
        slug=settings.pop("slug", "letters"),
        title="Letters",
        corpus=corpus,
        instrument=writing_instruments.load("crowdrag-writing"),
        seed=1,
        contact="Rita, University of Lamps.",
        tasks_per_worker=cap,
        **settings,
    )
    batch = writing.write_tasks(study=study, topics=list(corpus.topics.all()), styles=styles)
    batching.open_batch(batch=batch, now=NOW)
    study.refresh_from_db()
    return study


def onboarding_study(
    *,
    onboarding: int = 2,
    topics: int = 2,
    offered: int = 0,
    writers: int = 1,
    quota: int = 1,
    **settings: Any,
) -> Study:
    """Return an open writing study with `onboarding` tasks to accept, of `offered` (all).

    The topics t1, t2 ... come first to newcomers; `topics` more are the main batch.
    """
    offered = offered or onboarding
    corpus = small_corpus(topics=offered + topics, responses=0)
    every = list(corpus.topics.order_by("pk"))
    for topic in every:
        topic.passages.create(key="p1", rank=1, title="Page 1", text="Lamps shine.")
    study = writing.create_study(
        slug=settings.pop("slug", "letters"),
        title="Letters",
        corpus=corpus,
        instrument=writing_instruments.load("crowdrag-writing"),
        seed=1,
        contact="Rita, University of Lamps.",
        onboarding_tasks=onboarding,
        **settings,
    )
    first = writing.write_onboarding(study=study, topics=every[:offered], writers=writers)
    main = writing.write_tasks(study=study, topics=every[offered:], styles=["essay"], quota=quota)
    for batch in (first, main):
        batching.open_batch(batch=batch, now=NOW)
    study.refresh_from_db()
    return study
