"""Rounds of LLM calls of any kind: set up, and run to their end."""

from typing import Any

from judging.calls import running_rounds, sending
from judging.calls.asking import Terms
from tests.cast import NOW

AWAY = "http://127.0.0.1:9/v1"


def set_up_round(
    setting_up: Any,
    settings: Any,
    url: str,
    *,
    name: str,
    key: str,
    words: dict[str, str],
    prompt_of: dict[str, Any],
    terms: dict[str, Any] | None,
    manner: dict[str, Any],
    **owner: Any,
) -> Any:
    """Return a round that has not begun, of the module `setting_up` and its class of settings."""
    return setting_up.set_up(
        name=name,
        prompt=setting_up.save_prompt(**words, **prompt_of, by=None, now=NOW),
        manner=settings(**({"model": "good"} | manner)),
        terms=Terms(base_url=url, **(terms or {})),
        key=key,
        by=None,
        now=NOW,
        **owner,
    )


def run(one: Any, **how: Any) -> Any:
    """Send calls until there is nothing more to do."""
    one.refresh_from_db()
    if one.state != one.State.RUNNING:
        running_rounds.run(round=one, by=None)
    while sending.work_on(pk=one.pk, askers=type(one), **how):
        pass
    one.refresh_from_db()
    return one
