"""Uploaded files of labels: store, check, import and delete them."""

import gzip
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from annotation import wiping
from annotation.models import Study
from judging.labels.checking import (
    LabelCheck,
    check_as_json,
    check_labels,
    guess,
    import_as_json,
)
from judging.labels.files import TooManyLines
from judging.labels.importing import LabelsRefused
from judging.labels.importing_files import BOUNDS, LabelChoices, LabelFile, bring
from judging.labels.problems import remedies_of
from judging.labels.rubric import Grader
from judging.labels.rubric_importing import CannotImport
from judging.labels.values import ValueMapping
from judging.models import LabelUpload
from judging.raters.registering import BadRater

KEPT_FOR = timedelta(days=7)  # lifetime of a file that nobody imports
NAME_LENGTH = 200  # characters, of the column
LEAVE, AS = "leave", "as:"  # choices for a value or question; AS precedes an answer


def keep(*, study: Study, file: LabelFile, by: User, now: datetime) -> LabelUpload:
    """Save and check a file of labels. It replaces an earlier upload of the same user."""
    with transaction.atomic():
        _delete(LabelUpload.objects.filter(study=study, owner=by))
        upload = LabelUpload.objects.create(
            study=study,
            owner=by,
            name=file.name[-NAME_LENGTH:],
            content=gzip.compress(file.path.read_bytes(), compresslevel=1),
            choices=guess(study, file),
        )
    check(upload=upload, now=now)
    return upload


def choose(*, upload: LabelUpload, choices: dict[str, Any]) -> None:
    """Save the choices of the page. Raises BadMapping."""
    choices_of(choices)
    upload.choices = choices
    upload.save(update_fields=["choices"])


def check(*, upload: LabelUpload, now: datetime) -> None:
    """Check a file with its saved choices, and save the report. Raises BadMapping."""
    choices = choices_of(upload.choices)
    with upload.as_file() as path:
        file = LabelFile(path, upload.name, BOUNDS)
        result = check_labels(
            study=upload.study, file=file, choices=choices, by=upload.owner, now=now
        )
    upload.report = check_as_json(result, choices.remedies)
    upload.save(update_fields=["report"])


def import_file(*, upload: LabelUpload, now: datetime) -> bool:
    """Import a file with its choices, once. Return False, and save a new report, if refused.

    Raises BadMapping.
    """
    choices = choices_of(upload.choices)
    try:
        with transaction.atomic(), upload.as_file() as path:
            mine = LabelUpload.objects.filter(pk=upload.pk, imported_at=None)
            if not mine.update(imported_at=now):
                return True  # the button was pressed twice
            file = LabelFile(path, upload.name, BOUNDS)
            brought = bring(
                study=upload.study, file=file, choices=choices, by=upload.owner, now=now
            )
            result = LabelCheck(brought.whole, left_out=brought.left_out)
            report = check_as_json(result, choices.remedies) | import_as_json(brought)
            mine = LabelUpload.objects.filter(pk=upload.pk)
            mine.update(report=report, content=gzip.compress(b""))
            wiping.mark_erasure()
    except (LabelsRefused, CannotImport, BadRater, TooManyLines):
        check(upload=upload, now=now)
        return False
    return True


def discard(*, upload: LabelUpload) -> None:
    """Delete a file without importing it. The study stays unchanged."""
    with transaction.atomic():
        _delete(LabelUpload.objects.filter(pk=upload.pk))


def clear(*, now: datetime) -> int:
    """Delete files that were not imported within a week; return their number."""
    with transaction.atomic():
        return _delete(LabelUpload.objects.filter(created_at__lt=now - KEPT_FOR))


def _delete(uploads: Any) -> int:
    count, _ = uploads.delete()
    if count:
        wiping.mark_erasure()
    return int(count)


# -- Choices -------------------------------------------------------------------------------------
def choices_of(choices: Mapping[str, Any]) -> LabelChoices:
    """Return the choices of the page. Raises BadMapping."""
    names = ("name", "kind", "model", "prompt_version", "settings")
    grader = Grader(
        **{"kind": "expert", "name": ""} | {n: choices[n] for n in names if n in choices}
    )
    if grader.kind != "model":  # a person has no prompt, even if one was typed before
        grader = replace(grader, model="", prompt_version="", settings="")
    return LabelChoices(
        grader=grader,
        question=choices.get("question", ""),
        values=ValueMapping.of_pairs(
            _decided((value, answer) for _, value, answer in choices.get("values", ())),
            _decided(choices.get("asks", ())),
        ),
        remedies=remedies_of(choices.get("remedies", {}).items()),
    )


def _decided(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [
        (value, "" if answer == LEAVE else answer.removeprefix(AS))
        for value, answer in pairs
        if answer
    ]
