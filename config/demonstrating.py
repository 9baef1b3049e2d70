"""Demo studies: two of judging up to grades, one of writing with texts to review.

Running it again changes nothing.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pandas as pd
from django.contrib.auth.models import User
from django.db.models import Max

from analysis.models import AnalysisRun, AnalysisStep
from analysis.runs import findings
from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.fieldwork.review import reviewing
from annotation.models import Assignment, Batch, Corpus, ReviewDecision, Study
from annotation.studies import batching
from annotation.studies.consent_texts import for_platform
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.instruments import files as instruments
from judging.instruments.schema import InstrumentFile
from judging.simulation.simulating import (
    MEAN_SECONDS,
    SPAMMER,
    SimulatedWorker,
    crowd,
    simulate,
)
from writing.instruments import files as writing_instruments
from writing.instruments.schema import WritingInstrument
from writing.log.collecting import pack_log
from writing.process import measuring
from writing.studies import designing
from writing.studies import simulating as writers
from writing.studies.simulating import SimulatedWriter

Method = TypeVar("Method", InstrumentFile, WritingInstrument)
SEED = 25
# Of the crowd: pipeline B is then the best, C the worst, and A about as good as people.
CROWD_SEED = 949
WORKERS = 120
DIFFERENCE = 0.8  # standard deviation between systems, in standard deviations of texts
LEFT = 0.3  # probability of a guess for the left side, besides its habit
SECONDS = 96  # mean of an item: ten take the 15 minutes that are planned
RESEARCHER = "rita"
CORPUS = "demo"
PAIRWISE = "demo-pairwise"
POINTWISE = "demo-pointwise"
WRITING = "demo-writing"

# Who wrote before the visitor came: most as people do, one brings a text, one types in haste.
WRITERS = [
    SimulatedWriter("demo-writer-1", gap=190),
    SimulatedWriter("demo-writer-2", gap=240, mistypes=0.05),
    SimulatedWriter("demo-writer-3", gap=160, pastes=0.3),
    SimulatedWriter("demo-writer-4", gap=210, foreign=True),
    SimulatedWriter("demo-writer-5", gap=85, mistypes=0.005, pastes=0),
    SimulatedWriter("demo-writer-6", gap=260, mistypes=0.04),
]
ACCEPTED = 2  # of them; the others wait


def researcher(password: str) -> User:
    """Rita, who researches; she may see everything."""
    user = User.objects.filter(username=RESEARCHER).first()
    return user or User.objects.create_superuser(RESEARCHER, password=password)


def corpus(folder: Path, *, owner: User | None = None) -> Corpus:
    import_corpus(
        slug=CORPUS,
        name="Demo corpus",
        licence="CC0 1.0",
        files=[
            CorpusFile(path)
            for path in [*sorted(folder.glob("*.jsonl")), *sorted(folder.glob("short/*.jsonl"))]
        ],
        owners=[owner] if owner else [],
    )
    return Corpus.objects.get(slug=CORPUS)


def study(*, slug: str, corpus: Corpus, owner: User, now: datetime) -> Study:
    """One of the two demo studies, with a first batch that is open for a simulated crowd."""
    existing = Study.objects.filter(slug=slug).first()
    if existing is not None:
        return existing
    pairwise = slug == PAIRWISE
    made = create_study(
        slug=slug,
        title="Demo: which answer is better?" if pairwise else "Demo: how good is this answer?",
        corpus=corpus,
        instruments=[
            _by_link(instruments.load("crowdrag-pairwise" if pairwise else "crowdrag-pointwise"))
        ],
        seed=CROWD_SEED,
        created_by=owner,
        contact="No one: this demo runs on your computer, and no data leaves it.",
        pay="3.00" if pairwise else "2.00",
        tasks_per_worker=2,
    )
    add_batch(study=made, name="main", quota=5, now=now)
    return made


def _by_link(method: Method) -> Method:
    """Return the method with the consent text for recruitment by link."""
    consent = for_platform(method.consent, Study.Recruitment.LINK)
    return msgspec.structs.replace(method, consent=consent)


def add_batch(*, study: Study, name: str, quota: int, now: datetime) -> Batch:
    """Design and open a batch over the whole demo corpus."""
    plans = plans_of(
        study=study,
        seed=study.seed,
        reversed_share=1 / 3 if study.slug == PAIRWISE else 0,
        items_per_questionnaire=10,
        quota=quota,
    )
    batch = write_plans(study=study, plans=plans, name=name)
    return batching.open_batch(batch=batch, now=now)


def fill(*, study: Study, now: datetime) -> int:
    """Let a simulated crowd fill the open batch, which closes when it is full."""
    workers = [
        replace(worker, seconds=_seconds(worker), difference=DIFFERENCE, left=LEFT)
        for worker in crowd(workers=WORKERS, spammers=0.1, seed=CROWD_SEED)
    ]
    return sum(1 for _ in simulate(study=study, workers=workers, now=now))


def _seconds(worker: SimulatedWorker) -> float:
    """Return the time of an item: longer than in a simulated copy, but not of spammers."""
    slower = SECONDS / MEAN_SECONDS if worker.competence > SPAMMER else 1
    return worker.seconds * slower


def is_filled(study: Study) -> bool:
    return study.batches.filter(number=1, state=Batch.State.CLOSED).exists()


def reopen_for_visitors(*, study: Study, now: datetime) -> None:
    """Create a second batch for visitors who try a worker's page."""
    if not study.batches.filter(name="yours").exists():
        add_batch(study=study, name="yours", quota=3, now=now)


def progress() -> tuple[int, datetime | None]:
    """Return the signs of a working worker: runs begun, and the last touch of a step."""
    State = AnalysisStep.State  # those that wait are touched by the sweep, not by a worker
    begun = AnalysisStep.objects.filter(state__in=[State.RUNNING, State.DONE])
    return AnalysisRun.objects.count(), begun.aggregate(at=Max("touched_at"))["at"]


def grade_lines(run: AnalysisRun) -> list[str]:
    """Return the table of mean overall grades by system, one line each, best first."""
    grades = findings.tables(run, "grades", "grades")
    grades = grades[grades["question"] == "quality_overall"]
    responses = pd.DataFrame.from_records(
        run.study.corpus.responses.values_list("key", "system__name"),
        columns=["response", "system"],
    )
    responses["system"] = responses["system"].fillna("human writers")
    by_system = grades.merge(responses, on="response").groupby("system")["grade"]
    means = by_system.agg(["mean", "size"]).sort_values("mean", ascending=False)
    width = max(map(len, means.index))
    lines = [f"{'Overall quality, 6 is best':{width}}  responses  mean grade"]
    for system, mean, n in means.itertuples():
        lines.append(f"{system:{width}}  {n:9}  {mean:10.2f}")
    return lines


# -- Writing -------------------------------------------------------------------------------------


def writing_study(*, corpus: Corpus, owner: User, now: datetime) -> Study:
    """Two topics for simulated writers, and for visitors one further topic in each style."""
    existing = Study.objects.filter(slug=WRITING).first()
    if existing is not None:
        return existing
    made = designing.create_study(
        slug=WRITING,
        title="Demo: write an answer from the passages",
        corpus=corpus,
        instrument=_by_link(writing_instruments.load("crowdrag-writing")),
        seed=SEED,
        created_by=owner,
        contact="No one: this demo runs on your computer, and no data leaves it.",
        pay="5.00",
        tasks_per_worker=3,
    )
    topics = list(corpus.topics.filter(passages__isnull=False).distinct().order_by("pk"))
    add_writing(study=made, name="written", topics=topics[:2], now=now)
    styles = [style["style"] for style in made.brief.styles]
    for topic, style in zip(topics[2:], styles, strict=True):
        add_writing(study=made, name=f"yours: {style}", topics=[topic], styles=[style], now=now)
    return made


def add_writing(*, study: Study, now: datetime, **tasks: Any) -> Batch:
    """Create a batch that stays open when full: a rejected text is written again."""
    batch = designing.write_tasks(study=study, **tasks)
    Batch.objects.filter(pk=batch.pk).update(closes_when_full=False)
    return batching.open_batch(batch=batch, now=now)


def fill_writing(*, study: Study, now: datetime) -> int:
    """Let the simulated writers without a text write, an hour apart; return how many did."""
    done = study.assignments.filter(submitted_at__isnull=False)
    names = set(done.values_list("worker__pseudonym", flat=True))
    left = [writer for writer in WRITERS if writer.name not in names]
    for number, writer in enumerate(left):
        arrived = now - timedelta(hours=len(left) - number)
        work = writers.simulate(study=study, writer=writer, arrived=arrived)
        pack_log(assignment=work)
        measuring.measure(assignment=work, now=now)
        if writer in WRITERS[:ACCEPTED]:
            accept(work=work, now=now)
    return len(left)


def accept(*, work: Assignment, now: datetime) -> None:
    reviewing.decide(
        assignment=work,
        decision=ReviewDecision.Decision.ACCEPT,
        reviewer=RESEARCHER,
        now=now,
        reason="Thank you: clear, and every statement has its source.",
    )
