"""A writing study made from an instrument, and its tasks: each topic in each style."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import msgspec
import numpy as np
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from annotation.bulk_inserting import insert_all
from annotation.corpora.word_counts import words_uncounted
from annotation.models import Arm, Batch, Corpus, Passage, Study, Task, TaskExposure, Topic
from annotation.studies.batching import add_places
from annotation.studies.creating import RefusedSetting, draft_study, next_batch
from annotation.studies.forms import FieldSpec
from annotation.studies.wages import WORDS_PER_MINUTE, careful_minutes, writing_minutes
from writing.instruments.schema import WritingInstrument
from writing.models import Brief, WritingTask


class NothingToWrite(ValueError):
    """A batch without topics or styles was asked for; the message says which."""


@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    corpus: Corpus,
    instrument: WritingInstrument,
    seed: int,
    created_by: User | None = None,
    contact: str = "",
    **settings: Any,
) -> Study:
    """Create a draft study with a copy of the instrument: later edits of it change no study.

    `settings` are further fields of Study.
    """
    study = draft_study(
        slug=slug,
        title=title,
        corpus=corpus,
        seed=seed,
        created_by=created_by,
        contact=contact,
        **said_by(instrument, settings),
    )
    brief_of(study, instrument).save(force_insert=True)
    if study.arms == Study.Arms.ONE:
        Arm.objects.bulk_create(
            Arm(
                study=study,
                position=position,
                key=style.style,
                title=style.name,
                minutes=study.minutes,
                minimum_seconds=study.minimum_seconds,
            )
            for position, style in enumerate(instrument.styles, start=1)
        )
    return study


def said_by(instrument: WritingInstrument, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a study with this instrument; `settings` override them."""
    defaults = msgspec.structs.asdict(instrument.defaults)
    del defaults["quota"]
    return {
        **defaults,
        **settings,
        "kind": Study.Kind.WRITING,
        "instrument": instrument.name,
        "instructions": _with_words(instrument.instructions, instrument),
        "consent": instrument.consent,
        "entry_form": _form(instrument.entry_form, instrument),
        "exit_form": _form(instrument.exit_form, instrument),
    }


def brief_of(study: Study, instrument: WritingInstrument) -> Brief:
    """Not saved."""
    return Brief(
        study=study,
        target_words=instrument.target_words,
        low_words=instrument.low_words,
        high_words=instrument.high_words,
        styles=msgspec.to_builtins(instrument.styles),
        rule=instrument.rule,
        passages=instrument.passages,
        copy_task=instrument.copy_task,
    )


def _with_words(text: str, instrument: WritingInstrument) -> str:
    return text.replace("{words}", str(instrument.target_words))


def _form(fields: Sequence[FieldSpec], instrument: WritingInstrument) -> list[dict[str, Any]]:
    """Return a form for writers, with word limits filled into its questions."""
    return [
        msgspec.to_builtins(
            msgspec.structs.replace(field, label=_with_words(field.label, instrument))
        )
        for field in fields
    ]


def styles_of(instrument: WritingInstrument, *, wanted: Sequence[str] | None = None) -> list[str]:
    """Return the styles of an instrument, or the wanted ones. Raises RefusedSetting."""
    styles = [style.style for style in instrument.styles]
    if unknown := set(wanted or ()) - set(styles):
        raise RefusedSetting(
            "styles",
            ", ".join(sorted(unknown)),
            gettext("Available: {known}.").format(known=", ".join(styles)),
        )
    return list(wanted or styles)


def reading_minutes(
    topics: "Sequence[Topic] | Sequence[int] | QuerySet[Topic]",
    *,
    shown: int | None = None,
    n: int | None = None,
) -> float:
    """Return the mean time (minutes) to read the shown passages of a topic.

    `n` is the number of topics, if the caller knows it: some may have no passages.
    """
    passages = Passage.objects.filter(topic__in=topics)
    if shown is not None:
        passages = passages.filter(pk__in=_best(passages, shown))
    totals = passages.aggregate(n=Sum("words", default=0), late=Count("pk", filter=Q(words=0)))
    words: int = totals["n"] + (sum(words_uncounted(passages).values()) if totals["late"] else 0)
    number = len(topics) if n is None else n
    return words / WORDS_PER_MINUTE / number if number else 0.0


def _best(passages: "QuerySet[Passage]", n: int) -> "QuerySet[Passage, dict[str, int]]":
    """Return the ids of the `n` best passages of each topic."""
    better = Passage.objects.filter(topic=OuterRef("topic"), rank__lt=OuterRef("rank")).order_by()
    before = Coalesce(Subquery(better.values("topic").annotate(n=Count("pk")).values("n")), 0)
    return passages.annotate(before=before).filter(before__lt=n).values("pk")


@transaction.atomic
def write_tasks(
    *,
    study: Study,
    topics: Sequence[Topic],
    styles: Sequence[str] = (),
    quota: int = 1,
    name: str = "main",
    shuffle: bool = True,
    chosen_topics: Sequence[str] | None = None,
) -> Batch:
    """Create a draft batch with every topic in every style (all of the study by default).

    The order of tasks is drawn from the study's seed. A writer meets a topic once, in any
    style. `chosen_topics` are stored as the design of the batch. Raises NothingToWrite.
    """
    styles = styles or [style["style"] for style in study.brief.styles]
    wanted = [(topic, style) for topic in topics for style in styles]
    if not wanted:
        raise NothingToWrite(gettext("A writing batch needs at least one topic and one style."))
    if shuffle:
        wanted = in_drawn_order(wanted, seed=study.seed)
    batch = write_batch(next_batch(study=study, name=name), wanted, quota)
    if chosen_topics is not None:
        batch.design |= {"chosen_topics": list(chosen_topics)}
        Batch.objects.filter(pk=batch.pk).update(design=batch.design)
    return batch


def style_of_tasks(study: Study) -> dict[int, str]:
    """Return the name of each task's style; empty if the study has one style."""
    if len(study.brief.styles) < 2:
        return {}
    names = {style["style"]: str(style["name"]) for style in study.brief.styles}
    rows = WritingTask.objects.filter(task__batch__study=study)
    return {task: names[style] for task, style in rows.values_list("task", "style")}


def in_drawn_order(wanted: Sequence[tuple[Topic, str]], *, seed: int) -> list[tuple[Topic, str]]:
    """Return the tasks of a study in the order in which they are assigned."""
    return [wanted[index] for index in np.random.default_rng(seed).permutation(len(wanted))]


@transaction.atomic
def write_onboarding(
    *,
    study: Study,
    topics: Sequence[Topic],
    styles: Sequence[str] = (),
    writers: int = 1,
    name: str = "onboarding",
) -> Batch:
    """Write a draft onboarding batch: every topic once, the styles in turn, in this order.

    So each writer can do all of its tasks, and `writers` of them can try. Raises NothingToWrite,
    or RefusedSetting where nobody can try.
    """
    if writers < 1:
        raise RefusedSetting("onboarding_writers", writers, gettext("Enter at least 1."))
    styles = styles or [style["style"] for style in study.brief.styles]
    if not topics or not styles:
        raise NothingToWrite(gettext("An onboarding batch needs at least one topic and one style."))
    wanted = list(zip(topics, cycle(styles), strict=False))
    return write_batch(next_batch(study=study, name=name, onboarding=True), wanted, writers)


def write_batch(batch: Batch, wanted: Sequence[tuple[Topic, str]], quota: int) -> Batch:
    """Write the tasks of a batch in the order in which they are given out, and their places."""
    has_arms = batch.study.arms == Study.Arms.ONE and not batch.onboarding
    tasks = insert_all(
        Task(
            batch=batch,
            number=number,
            quota=quota,
            key=f"{topic.key}:{style}",
            arm=style if has_arms else "",
        )
        for number, (topic, style) in enumerate(wanted, start=1)
    )
    pairs = list(zip(tasks, wanted, strict=True))
    insert_all(WritingTask(task=task, topic=topic, style=style) for task, (topic, style) in pairs)
    insert_all(TaskExposure(task=task, unit=f"topic:{topic.pk}") for task, (topic, _) in pairs)
    add_places(tasks=tasks)
    brief = Brief.objects.get(study=batch.study_id)
    topics = list({topic.pk: topic for topic, _ in wanted}.values())
    reading = reading_minutes(topics, shown=brief.passages)
    writing = writing_minutes(brief.target_words)
    batch.design = {"careful_minutes": careful_minutes(reading=reading, writing=writing)}
    Batch.objects.filter(pk=batch.pk).update(design=batch.design)
    return batch
