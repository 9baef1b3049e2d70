"""A writing study as a document says it: its faults, and what a study was made from. Only reads."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath

import msgspec
from django.utils.translation import gettext, ngettext

from annotation.models import Corpus, Study
from annotation.studies.briefs import StyleBrief, WritingBrief
from annotation.studies.drafts.faults import CHOSEN_TOPICS, first_keys
from annotation.studies.drafts.kinds import instruments_of
from annotation.studies.drafts.paths import joined, names
from annotation.studies.drafts.plain_data import BadDocument
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.setting_faults import part_faults
from annotation.studies.forms import FieldSpec
from annotation.studies.instruments import BadInstrument, Fault, refuse
from annotation.texts.translation import translated_error
from writing.instruments.files import faults_of
from writing.instruments.schema import Defaults, StyleSpec, WritingInstrument
from writing.models import WritingTask
from writing.studies.topics import to_write_about


def faults(document: Document) -> Iterable[Fault]:
    """Return the faults of the instrument and of the onboarding topics."""
    if len(document.instruments) > 1:
        yield Fault("instruments", gettext("A writing study has one method. Remove the others."))
    for path, instrument in zip(paths_of(document), instruments_of(document), strict=True):
        for fault in faults_of(instrument):
            yield Fault(f"{path}/{fault.path}", fault.sentence)
        yield from part_faults(instrument.defaults, at=f"{path}/defaults/")
        yield from part_faults(instrument, at=f"{path}/")
        yield from _form_faults(path, instrument)
    yield from _onboarding_faults(document)
    if document.design.systems is not None:
        yield Fault("design/systems", gettext("A writing study doesn't show texts by systems."))


def _form_faults(path: str, instrument: WritingInstrument) -> Iterable[Fault]:
    """Questions that nobody could answer."""
    for form in ("entry_form", "exit_form"):
        for field in getattr(instrument, form):
            if field.kind != "text" and len(field.options) < 2:
                where = f"{path}/{joined(form, field.key, 'options')}"
                yield Fault(where, gettext("This question has fewer than two options."))


def _onboarding_faults(document: Document) -> Iterable[Fault]:
    first = document.onboarding
    corpus = Corpus.objects.there().filter(slug=document.corpus).first()
    chosen = document.design.chosen_topics
    if corpus is not None and chosen != []:
        available = to_write_about(corpus, chosen).count()
        yield from _bare_topics(corpus, chosen)
        wanted = document.design.topics or 1
        if not 0 <= first.topics < max(available, 1):
            yield Fault(
                "onboarding/topics",
                ngettext(
                    "Only {n} topic has passages.", "Only {n} topics have passages.", available
                ).format(n=available),
            )
        elif first.topics + wanted > available:
            left = available - first.topics
            besides = (
                ngettext(
                    " besides {n} onboarding topic", " besides {n} onboarding topics", first.topics
                ).format(n=first.topics)
                if first.topics
                else ""
            )
            yield Fault(
                "design/topics",
                ngettext(
                    "Only {n} topic has passages{besides}.",
                    "Only {n} topics have passages{besides}.",
                    left,
                ).format(n=left, besides=besides),
            )
    if first.topics and first.writers < 1:
        yield Fault("onboarding/writers", gettext("Enter at least 1."))
    if first.accepted is not None and not 0 <= first.accepted <= first.topics:
        yield Fault(
            "onboarding/accepted",
            ngettext(
                "The onboarding has {n} topic.",
                "The onboarding has {n} topics.",
                first.topics,
            ).format(n=first.topics),
        )


def _bare_topics(corpus: Corpus, chosen: Sequence[str] | None) -> Iterable[Fault]:
    """Chosen topics that nobody can write about."""
    rows = corpus.topics.filter(key__in=chosen or (), passages=None).order_by("pk")
    if bare := list(rows.values_list("key", flat=True)):
        yield Fault(
            CHOSEN_TOPICS,
            ngettext(
                "Topic {listed} has no passages. Select another.",
                "Topics {listed} have no passages. Select others.",
                len(bare),
            ).format(listed=first_keys(bare)),
        )


def paths_of(document: Document) -> list[str]:
    return [joined("instruments", name) for name in names(document.instruments)]


def made_from(study: Study) -> list[msgspec.Struct]:
    """Return the instrument of a study from its records."""
    brief, main = study.brief, study.batches.filter(onboarding=False).first()
    task = main.tasks.first() if main else None
    return [
        WritingInstrument(
            name=study.instrument or study.slug,
            title=study.title,
            source="",
            instructions=study.instructions,
            consent=study.consent,
            rule=brief.rule,
            styles=msgspec.convert(brief.styles, list[StyleSpec]),
            target_words=brief.target_words,
            low_words=brief.low_words,
            high_words=brief.high_words,
            passages=brief.passages,
            copy_task=brief.copy_task,
            entry_form=msgspec.convert(study.entry_form, list[FieldSpec]),
            exit_form=msgspec.convert(study.exit_form, list[FieldSpec]),
            defaults=Defaults(
                quota=task.quota if task else 1,
                minutes=study.minutes,
                minimum_seconds=study.minimum_seconds,
                time_limit_minutes=study.time_limit_minutes,
            ),
        )
    ]


def topics_of(study: Study) -> int | None:
    """Return the number of topics besides onboarding; None for all of the corpus or all chosen."""
    chosen = chosen_topics_of(study)
    written = WritingTask.objects.filter(task__batch__study=study)
    topics = written.filter(task__batch__onboarding=False).values("topic").distinct().count()
    first = written.filter(task__batch__onboarding=True).values("topic").distinct().count()
    available = to_write_about(study.corpus, chosen).count()
    return topics if 0 < topics < available - first else None


def chosen_topics_of(study: Study) -> list[str] | None:
    """Return the topics chosen in the design, or None."""
    main = next((batch for batch in study.batches.all() if not batch.onboarding), None)
    return main.design.get("chosen_topics") if main else None


def read(content: bytes, name: str) -> WritingInstrument:
    """Parse a writing instrument from a file. Raises BadDocument."""
    try:
        instrument = msgspec.json.decode(content, type=WritingInstrument)
        refuse(faults_of(instrument), name=PurePath(name).name)
    except (msgspec.DecodeError, RecursionError, BadInstrument) as error:
        raise BadDocument("invalid", translated_error(error)) from error
    return instrument


def brief_of_authors(study: Study) -> WritingBrief:
    """Return what writers of a study are told, and its texts without those of the onboarding."""
    brief = study.brief
    written = WritingTask.objects.filter(
        task__batch__study=study, task__batch__onboarding=False
    ).order_by("topic", "style")
    return WritingBrief(
        instructions=study.instructions,
        target_words=brief.target_words,
        low_words=brief.low_words,
        high_words=brief.high_words,
        passages=brief.passages,
        styles=tuple(
            StyleBrief(style["style"], style["name"], style["instructions"])
            for style in brief.styles
        ),
        texts=tuple(written.values_list("topic", "style").distinct()),
    )
