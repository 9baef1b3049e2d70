"""The judging and the writing half of the replication, each in a database of its own.

Each imports its study and computes. They share nothing, so they run side by side in two processes.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pandas as pd
from django.apps import apps
from django.conf import settings
from django.core.management import call_command

from analysis.replication import (
    agreement_tables,
    grade_tables,
    judging_study,
    prose_tables,
    rater_table,
    writing_study,
)
from analysis.replication.cells import TableCells
from analysis.stats.errors import CannotCompute
from annotation.corpora.crowdrag import HUMAN
from annotation.corpora.crowdrag_importing import CORPUS
from annotation.models import Corpus
from judging.crowdrag.importing import import_judging_study
from writing.studies.crowdrag_importing import import_writing_study

Step = Callable[[str, int], None]
Share = Callable[[float], None]  # how much of the part is done, 0 to 1

QUESTIONNAIRES, TEXTS = 450, 903
# How the time of a part is spent, roughly; "tables" is everything after the import.
WEIGHTS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "judging": {"snapshots": 0.1, "questionnaires": 0.4, "tables": 0.5},
        "writing": {"snapshots": 0.1, "texts": 0.8, "tables": 0.1},
    }
)


def make_database() -> None:
    """Create the tables from the models: a third of the time of the migrations."""
    settings.MIGRATION_MODULES = {app.label: None for app in apps.get_app_configs()}
    call_command("migrate", run_syncdb=True, interactive=False, verbosity=0)


def judging(folder: Path, step: Step) -> TableCells:
    """Compute tables 3 to 9 and the figures. Raises BadCorpus, ImportRefused."""
    clock, cells = _Clock(), TableCells()
    import_judging_study(folder=folder, step=step)
    clock.note(cells, "judging study imported")
    study, published = judging_study.read(), judging_study.PublishedFiles(folder)
    judging_study.fill_counts(cells, study)
    agreement_tables.fill_table_4(cells, study, published)
    step("tables", 1)
    agreement_tables.fill_table_5(cells, study)
    gold_tables(cells, study, published)
    clock.note(cells, "analysed")
    step("tables", 1)
    texts = writing_study.texts_of(Corpus.objects.get(slug=CORPUS))
    prose_tables.fill_table_3(cells, texts.every, texts.keys)
    step("tables", 1)
    prose_tables.fill_figures(cells, long=texts.long, every=texts.every)
    step("tables", 1)
    clock.note(cells, "texts measured")
    return cells


class _Clock:
    """Stopwatch of the steps."""

    def __init__(self) -> None:
        self.began = time.monotonic()

    def note(self, cells: TableCells, step: str) -> None:
        """Note the time of a step."""
        began, self.began = self.began, time.monotonic()
        cells.seconds[step] = self.began - began


def gold_tables(
    cells: TableCells, study: judging_study.JudgingStudy, published: judging_study.PublishedFiles
) -> None:
    """Fill in the tables of gold labels, from the published ones and from our own."""
    our_gold = grade_tables.own_gold(study)
    try:
        gold = grade_tables.published_gold(published)
    except CannotCompute as absent:
        cells.missing["gold"] = f"{absent} Our own gold labels are used instead."
        gold = our_gold
    cells.fill(
        "counts", "gold_labels_equal", make=partial(grade_tables.share_equal, our_gold, gold)
    )
    grade_tables.fill_table_8(cells, grade_tables.grades(gold), study.responses)
    for suffix, labels in (("", gold), ("_own", our_gold)):
        graded = grade_tables.grades(labels)
        grade_tables.fill_table_6(cells, f"table6{suffix}", labels)
        grade_tables.fill_table_7(cells, f"table7{suffix}", graded, study.responses)
        grade_tables.fill_significance(
            cells, f"table7{suffix}_significance", graded, study.responses
        )
    cells.fill("table1", "votes_llm", make=lambda: rater_table.labels(published.llm()))
    try:
        llm: pd.DataFrame | CannotCompute = published.llm()
    except CannotCompute as absent:
        llm = absent
    rater_table.fill_table_9(cells, gold, llm)


def writing(folder: Path, step: Step) -> TableCells:
    """Compute the writing half of table 1. Raises BadCorpus, ImportRefused."""
    clock, cells = _Clock(), TableCells()
    import_writing_study(folder=folder, step=step)
    clock.note(cells, "writing study imported")
    writing_study.fill_counts(cells, writing_study.read())
    clock.note(cells, "logs measured")
    step("tables", 4)
    return cells


PARTS: Mapping[str, Callable[[Path, Step], TableCells]] = MappingProxyType(
    {"judging": judging, "writing": writing}
)


def run(part: str, folder: Path, share: Share) -> TableCells:
    """Compute one half in the configured database, which must be empty."""
    make_database()
    snapshots = (folder / HUMAN).stat().st_size
    totals = {"snapshots": snapshots, "questionnaires": QUESTIONNAIRES, "texts": TEXTS, "tables": 4}
    done: Counter[str] = Counter()

    def step(what: str, n: int) -> None:
        done[what] += n
        weights = WEIGHTS[part].items()
        share(sum(weight * min(1, done[name] / totals[name]) for name, weight in weights))

    return PARTS[part](folder, step)
