"""A study with comments, and coders of them."""

from collections.abc import Sequence

from django.contrib.auth.models import User

from annotation.models import Membership, Study
from judging.coding import codebook_files, coding_units, saving_codebooks, starting
from judging.models import Coder, Coding, Presentation, UnitCodes
from tests.cast import NOW, rita, small_study, submitted, worker

TABLE = (
    b"group,code,definition,examples\n"
    b"Pages,Layout,Where things are.,too small | too far\n"
    b"Pages,Speed,,\n"
    b"Task,Layout,The order of the task.,\n"
)
KEYS = ("pages/layout", "pages/speed", "task/layout")


def commented_study(*, workers: int = 4, responses: int = 6) -> Study:
    """Return a study with a comment on each page of each worker: 15 pages of 6 responses."""
    study = small_study(responses=responses, quota=workers)
    for system in ("Alpha", "Beta"):
        study.corpus.systems.create(key=system.lower(), name=system)
    halves = list(study.corpus.responses.order_by("key"))
    for n, response in enumerate(halves):
        response.system = study.corpus.systems.get(key=("alpha", "beta")[n % 2])
        response.save()
    for n in range(workers):
        work = submitted(study, worker(f"judge {n}"))
        for page in Presentation.objects.filter(assignment=work):
            text = f"Comment {page.position} of judge {n}"
            Presentation.objects.filter(pk=page.pk).update(comment=text)
    return study


def coding_of(study: Study, *, name: str = "Feedback", kinds: Sequence[str] = ("page",)) -> Coding:
    book = codebook_files.read(TABLE)
    version = saving_codebooks.save(team=study.team, file=book, by=None, now=NOW, name="Book")
    return starting.start(study=study, version=version, name=name, kinds=kinds, by=None, now=NOW)


def colleague(study: Study, name: str, *, role: str = "reviewer") -> User:
    user = User.objects.create_user(name, password="a long password")
    Membership.objects.create(team=study.team, user=user, role=role)
    return user


def two_coders(coding: Coding) -> tuple[Coder, Coder]:
    first = coding_units.join(coding=coding, user=rita())
    return first, coding_units.join(coding=coding, user=colleague(coding.study, "robin"))


def code_all(coder: Coder, rows: Sequence[Sequence[str]]) -> None:
    """Save codes of the units in order, without the checks of `coding_units.record`."""
    units = coder.coding.units.order_by("position")
    UnitCodes.objects.bulk_create(
        UnitCodes(unit=unit, coder=coder, codes=list(codes), saved_at=NOW)
        for unit, codes in zip(units, rows, strict=True)
    )
