"""Save the codes that coders added as the next version of the codebook."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import QuerySet

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.coding.codebook_files import CodeSpec, GroupSpec, file_of, with_keys
from judging.coding.coding_units import codes_for
from judging.coding.saving_codebooks import save
from judging.models import AddedCode, Codebook, CodebookVersion, Coding, CodingUnit

WORD = re.compile(r"\w+")
GROUP = "Added while coding"
QUOTE = 3  # words of a comment that a codebook does not keep: it outlives a withdrawal


@transaction.atomic
def adopt(
    *, coding: Coding, by: Any, now: datetime, silent: "QuerySet[CodingUnit]"
) -> CodebookVersion:
    """Save the codebook with the codes that coders added. Raises Refusal.

    The coding must be closed. Codes are added to the newest version of the codebook, which may be
    newer than the version of the coding. A code that quotes a comment is left out, as is one that
    was added at one of the `silent` comments.
    """
    if coding.closed_at is None:
        raise Refusal("CodingOpen", Sentence("Close the coding first."))
    Codebook.objects.select_for_update().get(pk=coding.version.codebook_id)
    newest = coding.version.codebook.versions.order_by("-number").first()
    file = file_of(newest or coding.version)
    names = {code.name.casefold() for group in file.groups for code in group.codes}
    added = [
        code.name
        for code in codes_for(coding, None)
        if isinstance(code, AddedCode) and code.name and code.name.casefold() not in names
    ]
    if not added:
        raise Refusal("NoAddedCodes", Sentence("Coders added no codes."))
    kept = coding.added_codes.exclude(unit__in=silent).values_list("name", flat=True)
    open_names = {name.casefold() for name in kept}
    texts = [_plain(text) for text in coding.units.values_list("text", flat=True)]
    codes = [
        CodeSpec(name)
        for name in added
        if name.casefold() in open_names and not quotes(name, texts)
    ]
    if not codes:
        sentence = Sentence("Codes can't quote {n} or more words from a comment.", n=QUOTE)
        raise Refusal("QuotedCodes", sentence)
    earlier = [group for group in file.groups if group.name != GROUP]
    own = [code for group in file.groups if group.name == GROUP for code in group.codes]
    groups = [*earlier, GroupSpec([*own, *codes], GROUP)]
    longer = with_keys(msgspec.structs.replace(file, groups=groups))
    team = coding.study.team
    return save(team=team, file=longer, by=by, now=now, name=coding.version.codebook.name)


def quotes(name: str, texts: Sequence[str]) -> bool:
    """Return whether a name has QUOTE or more words in a row of one of the plain texts."""
    words = _plain(name).split()
    runs = [f" {' '.join(words[n : n + QUOTE])} " for n in range(len(words) - QUOTE + 1)]
    return any(run in text for run in runs for text in texts)


def _plain(text: str) -> str:
    """Return the words of a text, folded, with one space around each."""
    return f" {' '.join(WORD.findall(text.casefold()))} "
