"""Copying instrument files into a study, so that later edits of a file change no study."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from django.utils.translation import gettext

from annotation.models import Corpus, Study
from judging.instruments.combined import own_instructions
from judging.instruments.files import BadInstrument, as_json
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import item_kind
from judging.models import Bank, Criterion, Instrument, Question, Scale

FIGURES = (
    "reversed_share",
    "depth",
    "cells",
    "rounds",
    "topics_together",
    "games_per_topic",
    "documents_scored_at_least",
    "documents_scored_in",
    "documents_scored_on",
    "documents_scored_by",
    "documents_annotations",
    "items_per_questionnaire",
    "quota",
)


def copy_instruments(*, study: Study, files: Sequence[InstrumentFile]) -> list[Instrument]:
    """Give a study its instruments, in this order. Raises BadInstrument."""
    check_names(files)
    topics = dict(study.corpus.topics.values_list("key", "pk"))
    for file in files:
        check_topics(file=file, corpus=study.corpus, topics=topics)
    instruments = Instrument.objects.bulk_create(instruments_of(study=study, files=files))
    positions = count(1)  # of the questions of all instruments
    for instrument, file in zip(instruments, files, strict=True):
        rows = asked_by(instrument, file, topics=topics, positions=positions)
        Criterion.objects.bulk_create(rows.criteria)
        Scale.objects.bulk_create(rows.scales)
        Question.objects.bulk_create(rows.questions)
    return instruments


def check_names(files: Sequence[InstrumentFile]) -> None:
    """Raise BadInstrument if an instrument is repeated."""
    names = [file.name for file in files]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadInstrument(
            "repeated_instrument",
            gettext("Use each method once per study: {listed}.").format(listed=", ".join(twice)),
        )


def instruments_of(*, study: Study, files: Sequence[InstrumentFile]) -> list[Instrument]:
    """Return the unsaved instruments of a study. Raises BadInstrument for an unknown bank."""
    banks = banks_of(study.corpus, files)
    return [
        Instrument(
            study=study,
            position=position,
            key=file.name,
            version=file.version,
            title=file.title,
            item_kind=file.item_kind,
            designer=designer_of(file),
            design=figures_of(file),
            checked_with=checked_with(file),
            item_order=file.item_order,
            totals=as_json(file.totals),
            bank=banks.get(file.bank),
            bank_revision=file.bank_revision if file.bank else None,
            instructions=own_instructions(file, language=study.language)
            if len(files) > 1
            else file.instructions,
        )
        for position, file in enumerate(files, start=1)
    ]


def banks_of(corpus: Corpus, files: Sequence[InstrumentFile]) -> dict[str, Bank]:
    """Return the banks that the instruments name. Raises BadInstrument."""
    wanted = {file.bank: file.bank_revision for file in files if file.bank}
    if not wanted:
        return {}
    rows = Bank.objects.filter(corpus=corpus, name__in=wanted).defer("extra")
    banks = {bank.name: bank for bank in rows}
    for name, revision in wanted.items():
        if name not in banks or not 0 < revision <= banks[name].revision:
            raise BadInstrument(
                "unknown_bank",
                gettext("The corpus {slug} has no bank {name} with revision {revision}.").format(
                    slug=corpus.slug, name=name, revision=revision
                ),
            )
    return banks


def designer_of(file: InstrumentFile) -> str:
    return file.designer or item_kind(file.item_kind).designer


def figures_of(file: InstrumentFile) -> dict[str, Any]:
    """Return the figures of an instrument's design."""
    return {name: getattr(file.defaults, name) for name in FIGURES}


def checked_with(file: InstrumentFile) -> dict[str, Any]:
    """Return the figures of an instrument's checks, without defaults."""
    figures = {
        "gold": file.defaults.gold_per_questionnaire if file.gold else 0,
        "item_seconds": file.defaults.minimum_item_seconds,
    }
    return {name: figure for name, figure in figures.items() if figure}


def check_topics(*, file: InstrumentFile, corpus: Corpus, topics: Mapping[str, int]) -> None:
    """Raise BadInstrument if criteria have topics that the corpus lacks."""
    if unknown := {criterion.topic for criterion in file.criteria if criterion.topic} - set(topics):
        raise BadInstrument(
            "unknown_topics",
            gettext("{name} has criteria for topics that aren't in {slug}: {listed}.").format(
                name=file.name, slug=corpus.slug, listed=", ".join(sorted(unknown)[:5])
            ),
        )


@dataclass(frozen=True)
class InstrumentRows:
    """Unsaved criteria, scales and questions of an instrument."""

    criteria: list[Criterion]
    scales: list[Scale]
    questions: list[Question]


def asked_by(
    instrument: Instrument,
    file: InstrumentFile,
    *,
    topics: Mapping[str, int],
    positions: "count[int]",
) -> InstrumentRows:
    """Return the questions of an instrument with an id; `topics` are ids by key."""
    criteria = {
        spec.key: Criterion(
            instrument=instrument,
            key=spec.key,
            name=spec.name,
            definition=spec.definition,
            topic_id=topics.get(spec.topic),
        )
        for spec in file.criteria
    }
    scales = {
        spec.key: Scale(instrument=instrument, key=spec.key, kind=spec.kind, spec=as_json(spec))
        for spec in file.scales
    }
    questions = [
        Question(
            study_id=instrument.study_id,
            instrument=instrument,
            position=next(positions),
            key=spec.key,
            criterion=criteria[spec.criterion],
            scale=scales[spec.scale],
            arity=spec.arity,
            about=spec.about,
            text=spec.text,
            justification=spec.justification,
            optional=spec.optional,
        )
        for spec in file.questions
    ]
    return InstrumentRows(list(criteria.values()), list(scales.values()), questions)
