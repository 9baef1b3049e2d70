"""User names that can be told from one another. Only reads.

Two names look alike where letters of other alphabets stand for Latin ones ("r\u0456ta"), or where
they differ in capitals, accents or similar signs alone.
"""

import unicodedata
from collections.abc import Iterable

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext

# Latin letters and digits that look like others once capitals and accents are gone.
ALIKE = str.maketrans(
    {"\u0131": "i", "\u0251": "a", "\u0261": "g", "\u00f8": "o", "\u0142": "l", "0": "o", "1": "l"}
)


def check(name: str) -> None:
    """Raise ValidationError for a new name that could be taken for another one."""
    if any(char.isalpha() and not _is_latin(char) for char in name):
        raise ValidationError(
            gettext("Use only Latin letters."),
            code="alphabet",
        )
    if skeleton(name) in {skeleton(other) for other in _others()}:
        raise ValidationError(gettext("This name is taken or too similar."), code="lookalike")


def skeleton(name: str) -> str:
    """Return what is the same for all names that look like this one."""
    apart = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(char for char in apart if not unicodedata.combining(char))
    return plain.translate(ALIKE)


def _is_latin(char: str) -> bool:
    return unicodedata.name(char, "").startswith("LATIN ")


def _others() -> Iterable[str]:
    return User.objects.values_list("username", flat=True)
