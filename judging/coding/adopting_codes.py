"""Save the codes that coders added as the next version of the codebook."""

from datetime import datetime
from typing import Any

import msgspec

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from judging.coding.codebook_files import CodeSpec, GroupSpec, file_of, with_keys
from judging.coding.coding_units import codes_for
from judging.coding.saving_codebooks import save
from judging.models import AddedCode, CodebookVersion, Coding

GROUP = "Added while coding"


def adopt(*, coding: Coding, by: Any, now: datetime) -> CodebookVersion:
    """Save the codebook with the codes that coders added. Raises Refusal.

    The coding must be closed. Codes are added to the newest version of the codebook, which may be
    newer than the version of the coding.
    """
    if coding.closed_at is None:
        raise Refusal("CodingOpen", Sentence("Close the coding first."))
    newest = coding.version.codebook.versions.order_by("-number").first()
    file = file_of(newest or coding.version)
    there = {code.name.casefold() for group in file.groups for code in group.codes}
    codes = [
        CodeSpec(code.name)
        for code in codes_for(coding, None)
        if isinstance(code, AddedCode) and code.name and code.name.casefold() not in there
    ]
    if not codes:
        raise Refusal("NoAddedCodes", Sentence("Coders added no codes."))
    earlier = [group for group in file.groups if group.name != GROUP]
    own = [code for group in file.groups if group.name == GROUP for code in group.codes]
    groups = [*earlier, GroupSpec([*own, *codes], GROUP)]
    longer = with_keys(msgspec.structs.replace(file, groups=groups))
    team = coding.study.team
    return save(team=team, file=longer, by=by, now=now, name=coding.version.codebook.name)
