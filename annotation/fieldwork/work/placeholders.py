"""Figures for the placeholders in texts that workers read: {items}, {time}, {minutes}, {pay}."""

import re

from django.utils import translation
from django.utils.translation import gettext

from annotation.models import Assignment, Study, Task
from annotation.studies.consent_texts import with_pay
from annotation.studies.measured_time import measured_minutes
from annotation.texts.number_formats import money
from annotation.texts.task_times import time_sentence

PLACEHOLDER = re.compile(r"\{(items(?::\w+)?|time|minutes|pay)\}")


def filled(text: str, of: Assignment | Study) -> str:
    """Return the text with the figures of an assignment, or of any task of a study.

    {items:pair} are the items of one kind alone; {time} is a sentence on how long a task takes.
    """
    study = of.study.on_terms_of(of.task.batch) if isinstance(of, Assignment) else of
    text = with_pay(text) if study.pay else text
    figures = {"minutes": str(study.minutes), "pay": money(study.pay, study.currency)}
    if "{items" in text:
        task = of.task if isinstance(of, Assignment) else _any_task(study)
        named = {match[1] for match in PLACEHOLDER.finditer(text) if match[1].startswith("items")}
        figures |= {name: _items(task, kind=name.partition(":")[2]) for name in named}
    if "{time}" in text:
        figures["time"] = time_sentence(
            study.minutes, measured_minutes(study), language=study.language
        )
    return PLACEHOLDER.sub(lambda match: figures[match[1]], text)


def time_told(study: Study) -> str:
    """Return the sentence of {time} without markup, in the language of the study."""
    sentence = time_sentence(study.minutes, measured_minutes(study), language=study.language)
    return sentence.replace("**", "")


def names_pay(text: str) -> bool:
    """Return whether a consent text states the pay of a study that pays."""
    return "{pay}" in with_pay(text)


def planned(items: int, *, language: str) -> str:
    """Return {items} before questionnaires are made, none of which is longer than planned."""
    with translation.override(language):
        return gettext("up to {items}").format(items=items) if items > 1 else str(items)


def _any_task(study: Study) -> Task | None:
    return Task.objects.filter(batch__study=study).first()


def _items(task: Task | None, *, kind: str) -> str:
    if task is None:
        return gettext("some")
    return str(task.item_counts[kind] if kind else task.item_counts.total())
