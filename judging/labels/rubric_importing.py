"""Importing Rubric's files: a bank as a study, passages as a corpus, grades as judgments."""

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import import_corpus
from annotation.corpora.schema import BadLine, RowKind
from annotation.models import Corpus, Passage, Study, Team
from judging.design.designing import create_study, write_items
from judging.designers.questionnaires import PlannedItem
from judging.labels.importing import import_lines
from judging.labels.passage_files import keep, keep_judgments
from judging.labels.rubric import Grader, RubricFiles, instrument_of, read
from judging.labels.saving import LabelReport
from judging.models import Criterion, Rater
from judging.raters.registering import register

KIND = "passage_criterion"


class CannotImport(ValueError):
    """Refusal of the files; `lines` are the first bad ones, of `count`."""

    def __init__(self, sentence: str, lines: Iterable[BadLine] = (), *, count: int = 0) -> None:
        super().__init__(sentence)
        self.lines, self.count = list(lines), count


@dataclass
class RubricReport:
    """Counts of an import; `left_out` counts what no study can hold."""

    study: Study
    raters: dict[str, LabelReport] = field(default_factory=dict)
    left_out: dict[str, int] = field(default_factory=dict)


@transaction.atomic
def import_rubric(
    *, slug: str, bank: Path, now: datetime, passages: Path | None = None, corpus: str = ""
) -> RubricReport:
    """Import a bank, and passages graded on it: all, or nothing.

    1. Topics, passages and rankings go into the corpus (that of the bank, if none is named).
    2. The entries become criteria of a draft study; an existing one must have the same.
    3. Grades become judgments of their graders; grades that they have already stay.
    4. Judgments of passages become labels that came with the corpus; the file is kept for exports.

    Raises CannotImport, ImportRefused, LabelsRefused, BadInstrument or BadRater.
    """
    files = read(bank=bank, passages=passages)
    if files.bad:
        raise CannotImport(
            gettext("Nothing was imported into {slug}.").format(slug=slug),
            files.bad,
            count=files.bad_count,
        )
    if not files.entries:
        raise CannotImport(gettext("{name} has no entries.").format(name=bank.name))
    name = corpus or files.collection
    if not name:
        raise CannotImport(
            gettext("{name} has no collection name. Enter a corpus.").format(name=bank.name)
        )
    import_corpus(slug=name, name="", files=_files(files))
    study = _study(slug, Corpus.objects.get(slug=name), files)
    write_items_of(study, files)
    report = RubricReport(study, left_out={k: n for k, n in files.left_out.items() if n})
    raters = {grader: rater_of(grader, team=study.team) for grader in files.grades}
    for grader, lines in sorted(files.grades.items(), key=lambda each: each[0]):
        report.raters[grader.name] = import_lines(
            study=study,
            lines=lines,
            rater=raters[grader],
            now=now,
            report=LabelReport(passages.name if passages else ""),
            question=study.questions.get(scale__kind="range").key,
        )
    if passages:
        keep(study=study, path=passages, name=passages.name, raters=raters, now=now)
        keep_judgments(corpus=study.corpus, name=passages.name, found=files)
    return report


def rater_of(grader: Grader, *, team: Team) -> Rater:
    """Return the grader's rater, created on first use. Raises BadRater."""
    if grader.kind == "expert":
        return register(name=grader.name, kind="expert", pseudonym=grader.name, team=team)
    return register(
        name=grader.name,
        kind="model",
        model=grader.model,
        prompt_version=grader.prompt_version,
        settings=grader.settings,
        team=team,
    )


def _files(found: RubricFiles) -> list[CorpusFile]:
    """Return topics, passages and rankings as files of a corpus."""
    rows: dict[RowKind, list[dict[str, Any]]] = {
        RowKind.TOPICS: [{"topic": key, "query": query} for key, query in found.topics.items()],
        RowKind.PASSAGES: found.passages,
        RowKind.RANKINGS: found.rankings,
    }
    return [
        CorpusFile(
            io.BytesIO("".join(json.dumps(row) + "\n" for row in rows_of_kind).encode()),
            kind=kind,
            name=f"{kind}.jsonl",
        )
        for kind, rows_of_kind in rows.items()
        if rows_of_kind
    ]


def _study(slug: str, corpus: Corpus, found: RubricFiles) -> Study:
    """Return the draft study of this bank; an existing one must have the same entries."""
    existing = Study.objects.filter(slug=slug).order_by("version").last()
    if existing is None:
        instrument = instrument_of(found)
        return create_study(
            slug=slug,
            title=f"{instrument.title} ({found.collection})",
            corpus=corpus,
            instruments=[instrument],
            seed=1,
        )
    entries = Criterion.objects.filter(instrument__study=existing, questions=None)
    texts = dict(entries.values_list("key", "definition"))
    if existing.corpus_id != corpus.pk or texts != {
        entry.key: entry.definition for entry in found.entries
    }:
        raise CannotImport(
            gettext("Study {slug} already exists with different entries or texts.").format(
                slug=slug
            )
        )
    return existing


def write_items_of(study: Study, found: RubricFiles) -> None:
    """Save an item for each graded passage and entry, as far as they exist."""
    topics = dict(study.corpus.topics.values_list("key", "pk"))
    pool = Passage.objects.filter(topic__in=topics.values())
    passages = {tuple(row[:2]): row[2] for row in pool.values_list("topic__key", "key", "pk")}
    points = Criterion.objects.filter(instrument__study=study, instrument__item_kind=KIND)
    criteria = dict(points.values_list("key", "pk"))
    graded = dict.fromkeys(
        (line.topic, line.contents["criterion"], line.contents["passage"])
        for lines in found.grades.values()
        for line in lines
    )
    planned = [
        PlannedItem(
            contents=(contents := (criteria[entry], passages[topic, passage])),
            topic=topics[topic],
            words=0,
            unit=(KIND, contents),
        )
        for topic, entry, passage in graded
        if entry in criteria and (topic, passage) in passages
    ]
    write_items(study=study, kind=KIND, planned=planned)
