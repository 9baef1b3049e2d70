"""Setup of rounds in which a model codes the units of a coding."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction

from annotation.people import access
from judging.calls import asking
from judging.calls.asking import ModelSettings, Terms, called
from judging.calls.running_rounds import require_free_name
from judging.coders import wording
from judging.coders.wording import READY
from judging.models import CoderPrompt, CoderRound, Coding

save_prompt = partial(asking.save_prompt, CoderPrompt, check=wording.check, ready=READY)


@dataclass(frozen=True)
class Manner(ModelSettings):
    """Settings of the model."""

    max_tokens: int = 300


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
        **asking.new_columns(
            name=name, prompt=prompt, manner=manner, terms=terms, key=key, now=now
        ),
    )
    access.record(user=by, act="set up an LLM coder", what=called(made), of=coding.study)
    return made
