"""Registering raters that answered elsewhere, and making workers experts."""

import secrets

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from annotation import signals
from annotation.models import Assignment, Study, Team, Worker
from annotation.people.pseudonyms import PSEUDONYM
from annotation.texts.coded_errors import CodedError
from judging.models import POOLS, Judgment, MachineJudge, Rater

NAME_LENGTH = 100  # characters, of the column


class BadRater(CodedError):
    """Refusal of a rater."""


def known_to(team: Team | None) -> "QuerySet[Rater]":
    """Return the team's raters first, then shared raters with answers or judges in its studies.

    Without a team, shared raters alone.
    """
    if team is None:
        return Rater.objects.filter(team=None)
    answers = Judgment.objects.filter(rater=OuterRef("pk"), item__study__team=team)
    judges = MachineJudge.objects.filter(rater=OuterRef("pk"), study__team=team)
    shared = Q(team=None) & (Exists(answers) | Exists(judges))
    return Rater.objects.filter(Q(team=team) | shared).order_by(F("team").asc(nulls_last=True))


@transaction.atomic
def register(
    *,
    name: str,
    kind: str,
    user: User | None = None,
    model: str = "",
    prompt_version: str = "",
    settings: str = "",
    pseudonym: str = "",
    team: Team | None = None,
) -> Rater:
    """Return the expert, model or crowd worker elsewhere of this name, made on first use.

    Raises BadRater. Files and analyses name a model by its name, and a person by a pseudonym that
    is drawn here unless it is given. Names are unique within a team, and tell nothing of other
    teams. A rater without a team belongs to the server.
    """
    properties = {"model": model, "prompt_version": prompt_version, "settings": settings}
    theirs = known_to(team)
    rater = theirs.filter(name=name).first()
    if rater is None and pseudonym:
        rater = theirs.filter(pseudonym=pseudonym).first()
    if rater is not None:
        _require_same(rater, kind, user, properties)
        return rater
    _require_possible(name, kind, user, properties, theirs, team)
    is_model = kind == Rater.Kind.MODEL
    try:
        with transaction.atomic():
            return Rater.objects.create(
                team=team,
                kind=kind,
                name=name,
                pseudonym=name if is_model else pseudonym or f"{kind}-{secrets.token_hex(4)}",
                user=user,
                **properties,
            )
    except IntegrityError as error:
        raise BadRater(
            "just_made",
            gettext("{name} was just created. Try again.").format(name=name),
        ) from error


@transaction.atomic
def change_kind(*, rater: Rater, kind: str) -> Rater:
    """Make a worker an expert, or one of the crowd again, in all studies of the team.

    Analyses of these pools are marked as outdated. Raises BadRater.
    """
    if kind not in (Rater.Kind.CROWD, Rater.Kind.EXPERT):
        raise BadRater(
            "bad_kind",
            gettext("A participant must be crowd or expert, not {kind!r}.").format(kind=kind),
        )
    changed = Rater.objects.filter(pk=rater.pk, worker__isnull=False).exclude(kind=kind)
    if not changed.update(kind=kind):
        is_worker = Rater.objects.filter(pk=rater.pk, worker__isnull=False).exists()
        raise BadRater(
            "known_kind" if is_worker else "no_worker",
            gettext("{rater} already has this role.").format(rater=rater)
            if is_worker
            else gettext("{rater} isn't a participant and stays an expert.").format(rater=rater),
        )
    for study in Study.objects.filter(items__judgments__rater=rater).distinct():
        signals.raters_changed.send(sender=Rater, study=study, pools=("crowd", "experts"))
    rater.refresh_from_db()
    return rater


def _require_same(known: Rater, kind: str, user: User | None, what: dict[str, str]) -> None:
    if known.worker_id:
        raise BadRater(
            "is_worker",
            gettext("{name} is a participant. You can't import labels for participants.").format(
                name=known.name
            ),
        )
    if known.kind != kind:
        raise BadRater(
            "other_kind",
            gettext("{name} is registered as {known}, not {kind}.").format(
                name=known.name, known=known.get_kind_display().lower(), kind=kind
            ),
        )
    if user is not None and known.user_id != user.pk:
        raise BadRater(
            "other_user",
            gettext("{name} already exists for a different user than {username}.").format(
                name=known.name, username=user.username
            ),
        )
    for name, value in what.items():
        if value and getattr(known, name) != value:
            raise BadRater(
                "other_model",
                gettext("{rater} has {field} {stored!r}, not {value!r}. Use another name.").format(
                    rater=known.name,
                    field=name.replace("_", " "),
                    stored=getattr(known, name),
                    value=value,
                ),
            )


def _works_for(team: Team | None, pseudonym: str) -> bool:
    """Return whether a worker of the team has this pseudonym."""
    workers = Worker.objects.filter(pseudonym=pseudonym)
    assignments = Assignment.objects.filter(study__team=team, worker=OuterRef("pk"))
    return workers.exists() if team is None else workers.filter(Exists(assignments)).exists()


def _require_possible(
    name: str,
    kind: str,
    user: User | None,
    what: dict[str, str],
    theirs: "QuerySet[Rater]",
    team: Team | None,
) -> None:
    if kind not in Rater.Kind.values:
        raise BadRater(
            "bad_kind",
            gettext("Labels can come from crowd, expert or model, not {kind!r}.").format(kind=kind),
        )
    if not name.strip() or len(name) > NAME_LENGTH:
        raise BadRater(
            "name_length",
            gettext("Enter a rater name of 1 to {name_length} characters.").format(
                name_length=NAME_LENGTH
            ),
        )
    # A crowd elsewhere may have pseudonyms of workers; here it gets others.
    is_reserved = kind != Rater.Kind.CROWD and PSEUDONYM.fullmatch(name)
    taken = theirs.filter(pseudonym=name).exists() or is_reserved
    if name in POOLS or taken or _works_for(team, name):
        raise BadRater(
            "name_taken",
            gettext("The name {name!r} is already used by a rater or pool.").format(name=name),
        )
    if kind != Rater.Kind.MODEL:
        if any(what.values()):
            raise BadRater(
                "expert_with_model", gettext("An expert has no model, prompt or settings.")
            )
        if user is not None and theirs.filter(user=user).exists():
            raise BadRater(
                "known_user",
                gettext("{username} is already a rater under another name.").format(
                    username=user.username
                ),
            )
    elif not what["model"]:
        raise BadRater("no_model", gettext("Enter the model."))
    elif other := theirs.filter(kind=kind, **what).first():
        raise BadRater(
            "known_model",
            gettext("{name} already has this model, prompt and settings.").format(name=other.name),
        )
