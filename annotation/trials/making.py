"""A draft made into a small study that its researcher walks through as a worker."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.crypto import get_random_string

from annotation.access import sharing
from annotation.corpora.systems import topics_of
from annotation.drafts import saving
from annotation.drafts.launching import HasFaults, without_faults, written
from annotation.drafts.schema import Document, Onboarding
from annotation.models import Assignment, Batch, Corpus, Draft, Study, Task, Trial
from annotation.studies import batching
from annotation.trials import ending

KEPT = timedelta(days=1)
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # one can read them out
MOST_TASKS = 6  # of a trial: on a phone, on a computer, and once more
ENOUGH = 4  # questionnaires, so that each has three quarters of its items or more
STEP = 4  # times as many topics are drawn, until there is enough


@transaction.atomic
def make_trial(*, draft: Draft, user: User, now: datetime) -> Trial:
    """The trial of this person of a draft as it stands.

    The last one ends, unless nobody has begun it and the draft is still the same: then it is that
    one, so that asking twice makes one. Raises saving.DraftClosed, HasFaults.
    """
    current = saving.locked(draft)
    last = Trial.objects.select_related("study").filter(draft=current, user=user).first()
    if last and last.revision == current.revision and not _is_begun(last):
        return last
    document = without_faults(draft=current, user=user)
    if last:
        ending.end(study=last.study)
    study = _study(document, current, user)
    batching.launch(study=study, now=now)
    # What is full would close, and be analysed.
    Batch.objects.filter(study=study).update(closes_when_full=False)
    Study.objects.filter(pk=study.pk).update(purpose=Study.Purpose.TRIAL)
    study.purpose = Study.Purpose.TRIAL
    return Trial.objects.create(
        study=study,
        draft=current,
        revision=current.revision,
        user=user,
        made_at=now,
        expires_at=now + KEPT,
    )


def _is_begun(trial: Trial) -> bool:
    return Assignment.objects.filter(study=trial.study_id).exists()


def new_slug(purpose: Study.Purpose) -> str:
    """An address that nobody guesses, as many bits as a code has."""
    return f"{purpose}-{get_random_string(12, LETTERS)}"


def _study(document: Document, draft: Draft, user: User) -> Study:
    """A few tasks of the study that a draft would be, with its people, not yet open."""
    study = _of_few_topics(document, user)
    Task.objects.filter(batch__study=study, number__gt=MOST_TASKS).delete()
    sharing.move(study=study, team=draft.team)
    return study


class _TooSmall(ValueError):
    """Its questionnaires would be shorter than those of the real study."""


def _of_few_topics(document: Document, user: User) -> Study:
    """From as few topics as make whole questionnaires. Raises HasFaults where all of them make
    none."""
    for topics in _fewer(document):
        try:
            with transaction.atomic():
                study = written(tried(document, topics=topics), user=user, new_version=False)
                if Task.objects.filter(batch__study=study).count() < ENOUGH:
                    raise _TooSmall
                return study
        except (HasFaults, _TooSmall):
            continue
    whole = tried(document, topics=document.design.topics)
    return written(whole, user=user, new_version=False)


def _fewer(document: Document) -> Iterator[int]:
    """Ever more topics, and fewer than the document has."""
    corpus = Corpus.objects.there().get(slug=document.corpus)  # faults_of has looked for it
    taken = document.design
    in_all = taken.topics or topics_of(corpus, taken.systems, taken.chosen_topics).count()
    topics = document.recruitment.tasks_per_worker  # a writer meets a topic once
    while topics < in_all:
        yield topics
        topics *= STEP


def tried(
    document: Document, *, topics: int | None, purpose: Study.Purpose = Study.Purpose.TRIAL
) -> Document:
    """As it is tried: people come by a plain link, since no platform knows them, and newcomers
    begin at once, since nobody accepts what they hand in first."""
    replace = msgspec.structs.replace
    return replace(
        document,
        slug=new_slug(purpose),
        design=replace(document.design, topics=topics),
        onboarding=Onboarding(),
        recruitment=replace(document.recruitment, platform="link"),
    )
