"""Machine judges for tests, at our own endpoint."""

from typing import Any

from judging.calls import sending
from judging.calls.asking import Terms
from judging.machines import setting_up
from judging.machines.prompt_variables import READY
from judging.machines.setting_up import Character
from judging.models import MachineJudge
from tests.cast import NOW


def machine(
    study: Any,
    url: str = "http://127.0.0.1:9/v1",
    *,
    model: str = "good",
    name: str = "",
    wording: str = "plain",
    key: str = "",
    terms: dict[str, Any] | None = None,
    **character: Any,
) -> MachineJudge:
    """Return a judge that is set up and has not begun."""
    words = READY[wording]
    prompt = setting_up.save_prompt(
        study=study, key=wording, system=words.system, user=words.user, by=None, now=NOW
    )
    return setting_up.set_up(
        study=study,
        name=name or model,
        prompt=prompt,
        character=Character(model=model, **character),
        terms=Terms(base_url=url, **(terms or {})),
        key=key,
        by=None,
        now=NOW,
    )


def run(judge: MachineJudge, *, items: int | None = None, **how: Any) -> MachineJudge:
    """Let it judge until there is nothing more to do."""
    judge.refresh_from_db()
    if judge.state != MachineJudge.State.RUNNING:
        setting_up.run(judge=judge, items=items, by=None)
    while sending.work_on(pk=judge.pk, **how):
        pass
    judge.refresh_from_db()
    return judge
