"""Grading of all passages on a bank by a model, one study for each revision of the bank."""

from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext
from msgspec.structs import replace

from annotation.models import Passage, Study
from annotation.refusals import Refusal
from judging.banks.studies import method_of
from judging.calls.asking import Terms
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.machines import setting_up
from judging.machines.prompt_variables import READY
from judging.machines.setting_up import Character
from judging.models import Bank, MachineJudge


def slug_of(bank: Bank) -> str:
    """Return the slug of the study of the bank's current revision."""
    end = f"-bank-{bank.pk}-r{bank.revision}"
    return f"{bank.corpus.slug[: 80 - len(end)]}{end}"


@transaction.atomic
def study_of(bank: Bank, *, method: str = "") -> Study:
    """Return the draft study that asks all confirmed entries of all passages, created if needed.

    Raises Refusal.
    """
    Bank.objects.select_for_update(no_key=True).get(pk=bank.pk)
    slug = slug_of(bank)
    # Another team may have taken the slug for a study of its own.
    studies = Study.objects.filter(slug=slug, instruments__bank=bank, team=bank.corpus.team)
    if existing := studies.first():
        return existing
    if Study.every.filter(slug=slug).exists():
        taken = gettext("Study {slug!r} already exists.").format(slug=slug)
        raise Refusal("StudyExists", taken)
    file = method_of(bank, method=method)
    depth = Passage.objects.filter(topic__corpus=bank.corpus).aggregate(n=Max("rank"))["n"]
    whole = replace(file, defaults=replace(file.defaults, depth=max(depth or 0, 1)))
    study = create_study(
        slug=slug, title=f"{bank.name}, revision {bank.revision}", corpus=bank.corpus,
        instruments=[whole], seed=1, team=bank.corpus.team,
    )  # fmt: skip
    write_plans(study=study, plans=plans_of(study=study, seed=study.seed))
    return study


@transaction.atomic
def grader_of(
    study: Study, *, model: str, terms: Terms, key: str, by: User | None, now: datetime
) -> MachineJudge:
    """Return the judge that is named after a model, set up on first use.

    Raises BadAsker or BadPrompt.
    """
    if existing := graders().filter(study=study, name=model.strip()).first():
        return existing
    words = READY["plain"]
    prompt = setting_up.save_prompt(
        study=study, key=words.key, system=words.system, user=words.user, by=by, now=now
    )
    return setting_up.set_up(
        study=study, name=model, prompt=prompt, character=Character(model=model), terms=terms,
        key=key, by=by, now=now,
    )  # fmt: skip


def graders() -> "QuerySet[MachineJudge]":
    return MachineJudge.objects.select_related("study", "prompt", "rater")


def graders_of(bank: Bank) -> "QuerySet[MachineJudge]":
    """Return the LLM judges of the studies of a bank."""
    rows = graders().filter(study__instruments__bank=bank, study__purpose=Study.Purpose.STUDY)
    return rows.distinct().order_by("pk")
