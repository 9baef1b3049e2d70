"""Completion codes that are drawn once and are the same for everybody."""

import secrets

from annotation.models import Study

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that is read as another one: I, O, 0, 1
LENGTH = 8  # 40 bits


def random_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def missing_codes(study: Study) -> dict[str, str]:
    """Return new codes for the fields of a study that need one: field -> code."""
    if study.recruitment != Study.Recruitment.PROLIFIC:
        return {}
    needed = ("completion_code", "no_consent_code")
    return {name: random_code() for name in needed if not getattr(study, name)}
