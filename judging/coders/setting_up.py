"""Setup of rounds in which a model codes the units of a coding."""

from dataclasses import asdict, dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Study
from annotation.people import access
from judging.calls import asking
from judging.calls.asking import ModelSettings, Terms, called
from judging.calls.keys import seal
from judging.calls.rounds import change, delete, pause, require_free_name, restore, retry, run
from judging.coders import wording
from judging.coders.wording import READY
from judging.models import CoderPrompt, CoderRound, Coding

__all__ = [
    "Manner", "change", "delete", "pause", "restore", "retry", "run", "save_prompt", "set_up",
]  # fmt: skip


@dataclass(frozen=True)
class Manner(ModelSettings):
    """Settings of the model."""

    max_tokens: int = 300


@transaction.atomic
def save_prompt(
    *, study: Study, key: str, system: str, user: str, by: User | None, now: datetime
) -> CoderPrompt:
    """Return the prompt of this name, saving a new version if the wording changed.

    Without any wording, the default prompt is used. Raises BadPrompt.
    """
    if not system.strip() and not user.strip():
        key, system, user = key or READY.key, READY.system, READY.user
    system, user = (text.replace("\r\n", "\n") for text in (system, user))
    wording.check(system=system, user=user)
    Study.every.select_for_update(no_key=True).get(pk=study.pk)
    return asking.save_version(
        CoderPrompt, study=study, key=key or READY.key, system=system, user=user, by=by, now=now
    )


@transaction.atomic
def set_up(
    *,
    coding: Coding,
    name: str,
    prompt: CoderPrompt,
    manner: Manner,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
) -> CoderRound:
    """Create an LLM coder; no call is made yet. Raises BadAsker."""
    terms, name = asking.checked(terms), name.strip()
    Coding.objects.select_for_update(no_key=True).get(pk=coding.pk)
    require_free_name(CoderRound.objects.filter(coding=coding), name)
    made = CoderRound.objects.create(
        coding=coding,
        name=name,
        prompt=prompt,
        model=manner.model.strip(),
        protocol=manner.protocol,
        structured=manner.structured,
        settings=manner.settings,
        sealed_key=seal(key.strip()),
        made_at=now,
        **asdict(terms),
    )
    access.record(user=by, act="set up an LLM coder", what=called(made), of=coding.study)
    return made
