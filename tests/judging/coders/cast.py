"""An LLM coder of a coding."""

from typing import Any

from judging.calls import running_rounds, sending
from judging.calls.asking import Terms
from judging.coders import setting_up
from judging.coders.setting_up import Manner
from judging.models import CoderRound, Coding
from tests.cast import NOW

AWAY = "http://127.0.0.1:9/v1"


def llm_coder(
    coding: Coding,
    url: str = AWAY,
    *,
    name: str = "cold",
    key: str = "",
    user: str = "",
    terms: dict[str, Any] | None = None,
    **manner: Any,
) -> CoderRound:
    """Return an LLM coder that is set up and has not begun."""
    prompt = setting_up.save_prompt(
        study=coding.study, key="coder", system="", user=user, by=None, now=NOW
    )
    return setting_up.set_up(
        coding=coding,
        name=name,
        prompt=prompt,
        manner=Manner(**({"model": "good"} | manner)),
        terms=Terms(base_url=url, **(terms or {})),
        key=key,
        by=None,
        now=NOW,
    )


def run(one: CoderRound) -> CoderRound:
    """Send calls until there is nothing more to do."""
    one.refresh_from_db()
    if one.state != CoderRound.State.RUNNING:
        running_rounds.run(round=one, by=None)
    while sending.work_on(pk=one.pk, askers=CoderRound):
        pass
    one.refresh_from_db()
    return one
