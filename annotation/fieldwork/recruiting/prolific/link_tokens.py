"""Tokens of Prolific's secure links, which sign who was sent for which submission.

Their content (Prolific's documentation of `/.well-known/study/jwks.json`): RS256; `iss`; `exp`, two
minutes from the click; `aud`, the address of the study; `sub`, the submission; `prolific`, the
parameters of the link and the workspace.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt

from annotation.texts.translation import translated_error

PARAMETER = "prolific_token"
ISSUER = "https://www.prolific.com"
SKEW = 10  # seconds that their clock and ours may differ
MAX_TOKEN_LENGTH = 4096  # characters; theirs have about 1,100
CLAIMS = ("iss", "exp", "aud", "sub", "prolific")


class BadToken(ValueError):
    """A token that does not prove that Prolific sent this person."""


class Expired(BadToken):
    """A valid token whose time is over."""


class UnknownKey(BadToken):
    """A token of an unknown key, which may be new."""


@dataclass(frozen=True)
class ExpectedClaims:
    """The content that a token needs for its link."""

    address: str  # of the study, without parameters
    parameters: Mapping[str, str]  # of the link, without the token
    workspace: str = ""  # ours at Prolific; '': any


def verify(
    token: str, *, key_for: Callable[[str], Any], expected: ExpectedClaims, may_be_old: bool = False
) -> None:
    """Raise BadToken unless Prolific signed the token for this link.

    `key_for` returns the public key with an ID, or None. `may_be_old` is for a token that was
    verified when it was new.
    """
    try:
        if len(token) > MAX_TOKEN_LENGTH:
            raise BadToken("It is too long.")
        key = key_for(str(jwt.get_unverified_header(token).get("kid", "")))
        if key is None:
            raise UnknownKey("No known Prolific key has this ID.")
        claims = jwt.decode(
            token,
            key,
            algorithms=["RS256"],
            issuer=ISSUER,
            leeway=SKEW,
            options={
                "require": list(CLAIMS),
                "verify_exp": not may_be_old,
                "verify_aud": False,  # an address, compared below
            },
        )
    except jwt.ExpiredSignatureError as error:
        raise Expired("It has expired.") from error
    except RecursionError as error:  # JSON that is nested too deeply
        raise BadToken("It cannot be read.") from error
    except (jwt.PyJWTError, ValueError) as error:
        if isinstance(error, BadToken):
            raise
        raise BadToken(translated_error(error)) from error
    _compare(claims, expected)


def _compare(claims: Mapping[str, Any], expected: ExpectedClaims) -> None:
    claimed = claims["prolific"]
    if not isinstance(claimed, dict) or not _is_for(claims["aud"], expected):
        raise BadToken("It is for another address.")
    wanted = dict(expected.parameters)
    if {name: str(value) for name, value in claimed.items() if name != "workspace_id"} != wanted:
        raise BadToken("Its parameters are not those of the link.")
    if claims["sub"] != wanted.get("SESSION_ID"):
        raise BadToken("It is for another submission.")
    if expected.workspace and claimed.get("workspace_id") != expected.workspace:
        raise BadToken("It is for another workspace.")


def _is_for(audience: object, expected: ExpectedClaims) -> bool:
    """Return whether this is the study's address: with the parameters, unfilled ones, or none."""
    if not isinstance(audience, str):
        return False
    parts = urlsplit(audience)
    if f"{parts.scheme}://{parts.netloc}{parts.path}" != expected.address or parts.fragment:
        return False
    unfilled = {name: f"{{{{%{name}%}}}}" for name in expected.parameters}
    pairs = [pair for pair in parse_qsl(parts.query) if pair[0] != PARAMETER]
    return sorted(pairs) in ([], sorted(expected.parameters.items()), sorted(unfilled.items()))


def fingerprint(token: str) -> str:
    """Return a hash that is equal for all spellings of a token: that of its signed part.

    The last letter of a signature has bits that nobody reads.
    """
    return hashlib.sha256(token.rpartition(".")[0].encode()).hexdigest()
