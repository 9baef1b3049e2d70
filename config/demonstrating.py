"""A small judging study from arriving workers to grades, for somebody who looks for the first time.

Run again it finds what is there and changes nothing.
"""

from datetime import datetime
from pathlib import Path

import pandas as pd
from django.contrib.auth.models import User

from analysis import findings
from analysis.models import AnalysisRun
from annotation import batching
from annotation.formats import CorpusFile
from annotation.importing import import_corpus
from annotation.models import Batch, Corpus, Study
from judging import instruments
from judging.design import Parameters
from judging.designing import create_study, plan, write_design
from judging.simulating import crowd, simulate

SEED = 25
RESEARCHER = "rita"
CORPUS = "demo"
PAIRWISE = "demo-pairwise"
POINTWISE = "demo-pointwise"


def researcher(password: str) -> User:
    """Rita, who researches; she may see everything."""
    user = User.objects.filter(username=RESEARCHER).first()
    return user or User.objects.create_superuser(RESEARCHER, password=password)


def corpus(folder: Path) -> Corpus:
    import_corpus(
        slug=CORPUS,
        name="Demo corpus",
        licence="CC0 1.0",
        files=[CorpusFile(path) for path in sorted(folder.glob("*.jsonl"))],
    )
    return Corpus.objects.get(slug=CORPUS)


def study(*, slug: str, corpus: Corpus, owner: User, now: datetime) -> Study:
    """One of the two demo studies, with a first batch that is open for a simulated crowd."""
    found = Study.objects.filter(slug=slug).first()
    if found is not None:
        return found
    pairwise = slug == PAIRWISE
    made = create_study(
        slug=slug,
        title="Demo: which answer is better?" if pairwise else "Demo: how good is this answer?",
        corpus=corpus,
        instrument=instruments.load("crowdrag-pairwise" if pairwise else "crowdrag-pointwise"),
        seed=SEED,
        created_by=owner,
        contact="Nobody: this is a demonstration on your own machine, and nothing leaves it.",
        pay="3.00" if pairwise else "2.00",
        tasks_per_worker=2,
    )
    add_batch(study=made, name="main", quota=5, now=now)
    return made


def add_batch(*, study: Study, name: str, quota: int, now: datetime) -> Batch:
    """Design and open a batch over the whole demo corpus."""
    pairs = study.slug == PAIRWISE
    parameters = Parameters(
        seed=study.seed,
        designer="all_pairs" if pairs else "pool",
        reversed_share=1 / 3 if pairs else 0,
        items_per_questionnaire=10,
        quota=quota,
    )
    batch = write_design(study=study, design=plan(study=study, parameters=parameters), name=name)
    return batching.open_batch(batch=batch, now=now)


def fill(*, study: Study, now: datetime) -> int:
    """Let a simulated crowd fill the open batch, which closes when it is full."""
    workers = crowd(workers=60, spammers=0.2, seed=SEED)
    return sum(1 for _ in simulate(study=study, workers=workers, now=now))


def is_filled(study: Study) -> bool:
    return study.batches.filter(number=1, state=Batch.State.CLOSED).exists()


def reopen_for_visitors(*, study: Study, now: datetime) -> None:
    """A second batch, for whoever wants to try a worker's page."""
    if not study.batches.filter(name="yours").exists():
        add_batch(study=study, name="yours", quota=3, now=now)


def finished_run(study: Study) -> AnalysisRun | None:
    return AnalysisRun.objects.filter(study=study, state=AnalysisRun.State.DONE).first()


def grade_lines(run: AnalysisRun) -> list[str]:
    """The table of mean grades by system, one line each, best first."""
    grades = findings.tables(run, "grades", "grades")
    responses = pd.DataFrame.from_records(
        run.study.corpus.responses.values_list("key", "system__name", "style"),
        columns=["response", "system", "style"],
    )
    responses["system"] = responses["system"].fillna("human writers")
    grades = grades.merge(responses, on="response")
    means = grades.pivot_table(index="system", columns="question", values="grade")
    means = means[findings.question_keys(run)].sort_values("quality_overall", ascending=False)
    width = max(map(len, means.index))
    names = [key.replace("_", " ") for key in means.columns]
    n = responses.groupby("system")["response"].count()
    lines = [f"{'mean grade (6 is best)':{width}}   n  " + "  ".join(names)]
    for system, row in means.iterrows():
        cells = "  ".join(f"{value:{len(name)}.2f}" for value, name in zip(row, names, strict=True))
        lines.append(f"{system!s:{width}}  {n[str(system)]:2}  {cells}")
    return lines
