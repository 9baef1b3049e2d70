"""Texts of methods in another language, or for participants from another platform."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from annotation.models import Study
from annotation.studies.consent_texts import for_platform
from annotation.studies.drafts import paths
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.plain_data import plain
from annotation.studies.translations import texts_in

CONSENT = "consent"


def text_changes(changes: Sequence[DraftChange], seen: Any) -> list[DraftChange]:
    """Return further changes of texts that a change of language or platform brings."""
    value_by_path = {change.path: change.value for change in changes if change.op == "set"}
    language = _known(value_by_path.get("language"), Study.Language.values)
    platform = _known(value_by_path.get("recruitment/platform"), Study.Recruitment.values)
    if not language and not platform:
        return []
    changed = translated_texts(seen, language=language, platform=platform)
    return [change for change in changed if change.path not in value_by_path]


def _known(said: Any, choices: Sequence[str]) -> str:
    return said if isinstance(said, str) and said in choices else ""


def translated_texts(data: Any, *, language: str = "", platform: str = "") -> Iterator[DraftChange]:
    """Yield the changes that translate texts of methods which nobody has edited."""
    kind = kind_of(data["kind"])
    old_platform, new_platform = (
        data["recruitment"]["platform"],
        platform or data["recruitment"]["platform"],
    )
    texts_by_method = {
        name: (
            _texts(kind.load(name, data["language"]), platform=old_platform),
            _texts(kind.load(name, language or data["language"]), platform=new_platform),
        )
        for name in kind.available()
    }
    translations = {
        before[path]: words
        for before, after in texts_by_method.values()
        for path, words in after.items()
    }
    instruments = data["instruments"]
    for name, instrument in zip(paths.names(instruments), instruments, strict=True):
        before, after = texts_by_method.get(instrument["name"], ({}, {}))
        for path, words in texts_in(instrument):
            now = (
                for_platform(words, old_platform) if path == CONSENT else words
            )  # as it is said by now
            other = after.get(path) if before.get(path) == now else translations.get(now)
            if other is None and path == CONSENT:
                other = for_platform(words, new_platform)
            if other is not None and other != words:
                yield DraftChange("set", f"{paths.joined('instruments', name)}/{path}", other)


def _texts(instrument: msgspec.Struct, *, platform: str) -> dict[str, str]:
    texts = dict(texts_in(plain(instrument)))
    return texts | {CONSENT: for_platform(texts[CONSENT], platform)} if CONSENT in texts else texts


def as_method(instrument: msgspec.Struct, *, platform: str) -> Any:
    """Return an instrument as plain data, with its texts for this platform."""
    data = plain(instrument)
    return data | {CONSENT: for_platform(data.get(CONSENT, ""), platform)}
