"""Changing the analysis settings of a study, which apply to all its later analyses."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext

from analysis.inputs.parameters import NESTED, PARAMETERS, as_text, flat, nested
from analysis.runs.running import lock_study
from annotation.models import Study


class SettingsChanged(ValueError):
    """Somebody else changed the settings since they were shown."""

    def __init__(self) -> None:
        super().__init__(gettext("Someone else changed these settings. Check and save again."))


@transaction.atomic
def adjust(*, study: Study, given: Mapping[str, Any], seen: str | None = None) -> list[str]:
    """Replace the analysis settings of a study; return the names of those that changed.

    `given`: values by the names of `PARAMETERS`; a setting that is not given has its default.
    `seen`: the settings that the change was made from (`as_text`).
    Raises BadParameter or SettingsChanged.
    """
    wanted = nested(given)
    lock_study(study.pk)
    stored = Study.every.values_list("analysis", flat=True).get(pk=study.pk)
    if seen is not None and seen != as_text(stored):
        raise SettingsChanged
    declared = {name.partition(".")[0] for name in PARAMETERS} | set(NESTED)
    others = {name: value for name, value in stored.items() if name not in declared}
    changed = others | wanted
    Study.every.filter(pk=study.pk).update(analysis=changed)
    before, after = flat(stored), flat(changed)
    study.analysis = changed
    return sorted(n for n in before.keys() | after.keys() if before.get(n) != after.get(n))
