"""Save codebooks. Each change creates a new version, and versions never change."""

from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.models import Team
from annotation.people import access
from annotation.texts.sentences import Sentence
from judging.coding.codebook_files import BadCodebook, CodebookFile, file_of
from judging.models import Code, Codebook, CodebookVersion


@transaction.atomic
def save(
    *, team: Team, file: CodebookFile, by: Any, now: datetime, name: str = ""
) -> CodebookVersion:
    """Save a codebook as the next version of the codebook with its name, if it changed.

    Raises BadCodebook without a name.
    """
    name = (name or file.name).strip()[:200]
    if not name:
        raise BadCodebook("codebook_name", Sentence("Enter a name for the codebook."))
    book, _ = Codebook.objects.get_or_create(team=team, name=name, defaults={"made_at": now})
    book = Codebook.objects.select_for_update().get(pk=book.pk)
    newest = book.versions.order_by("-number").first()
    if newest and _content(file_of(newest)) == _content(file):
        return newest  # type: ignore[no-any-return]
    version = CodebookVersion(
        codebook=book,
        number=newest.number + 1 if newest else 1,
        description=file.description,
        source=file.source,
        made_by=by,
        made_at=now,
    )
    version.save()
    Code.objects.bulk_create(
        Code(
            version=version,
            position=position,
            key=code.key,
            group=group.name,
            name=code.name,
            definition=code.definition,
            examples=code.examples,
        )
        for position, (group, code) in enumerate(
            ((group, code) for group in file.groups for code in group.codes), start=1
        )
    )
    what = f"{name}, version {version.number}"
    access.record(user=by, act="saved a codebook", what=what, of=team)
    return version


def _content(file: CodebookFile) -> tuple[object, ...]:
    return (file.description, file.source, file.groups)
