"""Setting up, changing, starting and stopping machine judges, and retrying their calls."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation.models import Study
from annotation.people import access
from annotation.texts.translation import translated_error
from judging.calls import asking
from judging.calls.asking import BadAsker, ModelSettings, Terms, called
from judging.items.kinds import item_kind
from judging.items.notes import shows_notes
from judging.machines.prompt_variables import check, variables
from judging.models import Instrument, MachineJudge, Prompt, Rater
from judging.raters.registering import BadRater, known_to, register


@dataclass(frozen=True)
class Character(ModelSettings):
    """Properties that make a judge this rater, beside its prompt."""

    at_once: bool = True
    orders: str = "both"
    on_disagreement: str = "tie"

    def described(self) -> str:
        """Return the description of a rater in files."""
        parts = [f"{name}={value:g}" for name, value in self.settings.items()]
        parts.append("both orders" if self.orders == "both" else "one order")
        if self.orders == "both" and self.on_disagreement == "first":
            parts.append("the first counts")
        parts.append("all at once" if self.at_once else "one question at a time")
        parts.append("JSON schema" if self.structured else "last line")
        return ", ".join(parts)


def variables_of(study: Study) -> dict[str, str]:
    """Return the variables that prompts of this study may use."""
    instruments = Instrument.objects.filter(study=study)
    kinds = {instrument.item_kind for instrument in instruments}
    return variables(
        [item_kind(kind) for kind in sorted(kinds)], annotated=any(map(shows_notes, instruments))
    )


def save_prompt(
    *, study: Study, key: str, system: str, user: str, by: User | None, now: datetime
) -> Prompt:
    """Return the prompt of this name with this wording: the newest version, or a new one.

    Raises BadPrompt.
    """
    right = partial(check, known=variables_of(study))
    return asking.save_prompt(
        Prompt, check=right, study=study, key=key, system=system, user=user, by=by, now=now
    )


@transaction.atomic
def set_up(
    *,
    study: Study,
    name: str,
    prompt: Prompt,
    character: Character,
    terms: Terms,
    key: str,
    by: User | None,
    now: datetime,
) -> MachineJudge:
    """Create a judge with its rater; no call is made yet. Raises BadAsker."""
    terms = asking.checked(terms)
    name = name.strip()
    if MachineJudge.objects.filter(study=study, name=name).exists():
        raise BadAsker("name_taken", gettext("Judge {name} already exists.").format(name=name))
    rater = _rater(name, prompt, character)
    if other := MachineJudge.objects.filter(study=study, rater=rater).first():
        is_withdrawn = other.state == other.State.WITHDRAWN
        gone = gettext(" That judge is withdrawn. Restore it.") if is_withdrawn else ""
        raise BadAsker(
            "same_as_withdrawn" if is_withdrawn else "same_judge",
            gettext("{other} already has this model, prompt and settings.{gone}").format(
                other=other, gone=gone
            ),
        )
    judge = MachineJudge.objects.create(
        study=study,
        rater=rater,
        at_once=character.at_once,
        orders=character.orders,
        on_disagreement=character.on_disagreement,
        **asking.new_columns(
            name=name, prompt=prompt, manner=character, terms=terms, key=key, now=now
        ),
    )
    access.record(user=by, act="set up an LLM judge", what=called(judge), of=study)
    return judge


def _rater(name: str, prompt: Prompt, character: Character) -> Rater:
    """Return the team's rater of this model, prompt and settings, made on first use."""
    properties: dict[str, Any] = {
        "model": character.model.strip(),
        "prompt_version": f"{prompt} {prompt.digest}",
        "settings": character.described(),
    }
    team = prompt.study.team
    rater = known_to(team).filter(kind=Rater.Kind.MODEL, **properties).first()
    try:
        return rater or register(name=name, kind=Rater.Kind.MODEL, team=team, **properties)
    except BadRater as error:
        raise BadAsker(error.code, translated_error(error)) from error


@transaction.atomic
def change(*, judge: MachineJudge, terms: Terms, key: str | None, by: User | None) -> MachineJudge:
    """Change the terms; None keeps the key, an empty one removes it. Raises BadAsker."""
    asking.change_terms(asker=judge, terms=asking.checked(terms), key=key)
    access.record(user=by, act="changed an LLM judge", what=called(judge), of=judge.study)
    judge.refresh_from_db()
    return judge


@transaction.atomic
def run(*, judge: MachineJudge, items: int | None, by: User | None) -> None:
    """Start judging all items of the study, or a number of them. Raises BadAsker."""
    if items is not None and not 1 <= items <= 10_000_000:
        raise BadAsker("no_items", gettext("Enter at least 1 item."))
    if not asking.let_run(asker=judge, wanted=items):
        _require_not_withdrawn(judge)
        raise BadAsker("already_running", gettext("%(name)s is already running.") % {"name": judge})
    access.record(user=by, act="started an LLM judge", what=called(judge), of=judge.study)


@transaction.atomic
def pause(*, judge: MachineJudge, by: User | None) -> None:
    """Stop sending calls and wait for those that were sent. Raises BadAsker."""
    if not asking.let_pause(asker=judge):
        raise BadAsker("not_running", gettext("%(name)s is not running.") % {"name": judge})
    access.record(user=by, act="paused an LLM judge", what=called(judge), of=judge.study)


@transaction.atomic
def retry(*, judge: MachineJudge, error: str, by: User | None) -> int:
    """Send failed or lost calls with this error again; return their number. Raises BadAsker."""
    _require_not_withdrawn(judge)
    again = asking.send_again(asker=judge, error=error)
    if again:
        access.record(
            user=by,
            act="retried calls of an LLM judge",
            what=f"{called(judge)}: {again:,} ({error})",
            of=judge.study,
        )
    return again


def _require_not_withdrawn(judge: MachineJudge) -> None:
    if MachineJudge.objects.filter(pk=judge.pk, state=MachineJudge.State.WITHDRAWN).exists():
        raise BadAsker(
            "withdrawn", gettext("{judge} is withdrawn. Restore it first.").format(judge=judge)
        )
