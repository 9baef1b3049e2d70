"""An LLM author of a writing study."""

from typing import Any

from annotation.models import Study
from judging.authors import setting_up
from judging.authors.setting_up import AuthorSettings
from judging.calls import running_rounds, sending
from judging.calls.asking import Terms
from judging.models import AuthorRound
from tests.cast import NOW

AWAY = "http://127.0.0.1:9/v1"


def author(
    study: Study,
    url: str = AWAY,
    *,
    name: str = "cold",
    key: str = "",
    user: str = "",
    terms: dict[str, Any] | None = None,
    **manner: Any,
) -> AuthorRound:
    """Return an author that is set up and has not begun."""
    prompt = setting_up.save_prompt(
        study=study, key="author", system="", user=user, by=None, now=NOW
    )
    return setting_up.set_up(
        study=study,
        name=name,
        prompt=prompt,
        manner=AuthorSettings(**({"model": "good"} | manner)),
        terms=Terms(base_url=url, **(terms or {})),
        key=key,
        by=None,
        now=NOW,
    )


def run(one: AuthorRound) -> AuthorRound:
    """Let it write until there is nothing more to do."""
    one.refresh_from_db()
    if one.state != AuthorRound.State.RUNNING:
        running_rounds.run(round=one, by=None)
    while sending.work_on(pk=one.pk, askers=AuthorRound):
        pass
    one.refresh_from_db()
    return one
