"""Exported files, read back; and small studies that are judged and analysed."""

import csv
import gzip
import json

from analysis.runs import running
from tests.cast import small_study, submitted, worker


def jsonl(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def table(path):
    with path.open(newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def read(name, folder):
    return (jsonl if name.endswith(".gz") else table)(folder / name)


def content(path):
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def analysed(study):
    """Analyse the study in this transaction; nothing is committed, so no step is handed out."""
    study.analysis = {"draws": 5} | study.analysis
    study.save()
    run = running.start(study=study, enqueue=print)
    while step := run.steps.filter(state="queued").first():
        running.perform(pk=step.pk, enqueue=print)
    run.refresh_from_db()
    assert run.state == "done"
    return run


def judged_study(*people, **of_study):
    """Return an analysed study that these people (by name) have judged."""
    settings = {"quota": len(people), "topics": 2, "responses": 3} | of_study
    study = small_study(**settings)
    for name in people:
        submitted(study, worker(name))
    analysed(study)
    return study


def columns(path):
    if not path.exists():
        return []
    if path.suffix == ".gz":
        return list(jsonl(path)[0])
    with path.open(newline="") as lines:
        return next(csv.reader(lines))
