"""Two machine judges for the demo, at an endpoint of our own: one is good, one likes the left side.

Both judge the items that the simulated crowd judges. The good one knows what that crowd knows.
Run again it finds what is there and changes nothing.
"""

from datetime import datetime
from decimal import Decimal

from django.contrib.auth.models import User

from annotation.models import Study
from judging.calls import sending
from judging.calls.asking import Terms
from judging.calls.fake.judges import Quality
from judging.machines import setting_up
from judging.machines.prompt_variables import READY
from judging.machines.setting_up import Character
from judging.models import MachineJudge
from judging.simulation.simulating import merit

JUDGES = {"good": "demo-good-judge", "left": "demo-left-judge"}  # model → name
POOL = "models"  # of raters
PRICE_IN, PRICE_OUT = Decimal("0.15"), Decimal("0.60")  # made up, as of a small model


def qualities(*, study: Study, seed: int) -> dict[str, Quality]:
    """Text → question → how good it is, for the crowd of this seed."""
    questions = [question.key for question in study.questions.all()]
    criteria = dict(study.questions.values_list("key", "criterion__key"))
    return {
        text: {
            question: merit(response=key, question=criteria[question], seed=seed)
            for question in questions
        }
        for key, text in study.corpus.responses.values_list("key", "text")
    }


def judges(*, study: Study, url: str, by: User, now: datetime) -> list[MachineJudge]:
    """Return the two judges at this address."""
    prepared = []
    for model, name in JUDGES.items():
        terms = Terms(base_url=url, repeats=True, price_in=PRICE_IN, price_out=PRICE_OUT)
        judge = MachineJudge.objects.filter(study=study, name=name).first()
        if judge is None:
            judge = _set_up(study, name, Character(model=model), terms, by, now)
        elif judge.base_url != url:  # the port of another day
            judge = setting_up.change(judge=judge, terms=terms, key=None, by=by)
        prepared.append(judge)
    return prepared


def _set_up(
    study: Study, name: str, character: Character, terms: Terms, by: User, now: datetime
) -> MachineJudge:
    words = READY["plain"]
    prompt = setting_up.save_prompt(
        study=study, key=words.key, system=words.system, user=words.user, by=by, now=now
    )
    return setting_up.set_up(
        study=study,
        name=name,
        prompt=prompt,
        character=character,
        terms=terms,
        key="",
        by=by,
        now=now,
    )


def judge(*, judge: MachineJudge, by: User) -> bool:
    """Let it judge all items; whether there was anything to do."""
    if judge.state == MachineJudge.State.DONE:
        return False
    if judge.state != MachineJudge.State.RUNNING:
        setting_up.run(judge=judge, items=None, by=by)
    while sending.work_on(pk=judge.pk):
        pass
    judge.refresh_from_db()
    return True
