"""Prolific's secure links: the token says, signed, who was sent to us and for which submission.

What is in it (Prolific's documentation of `/.well-known/study/jwks.json`): RS256; `iss`; `exp`, two
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
MOST = 4096  # characters; theirs have about 1,100
CLAIMS = ("iss", "exp", "aud", "sub", "prolific")


class BadToken(ValueError):
    """The token does not prove that Prolific sent this person; the message says why, to us."""


class Expired(BadToken):
    """It was true, and its time is over."""


class UnknownKey(BadToken):
    """It names a key that is not known, perhaps because Prolific has just made it."""


@dataclass(frozen=True)
class ExpectedClaims:
    """What a token has to say about the link that it came with."""

    address: str  # of the study, without parameters
    parameters: Mapping[str, str]  # of the link, without the token
    workspace: str = ""  # ours at Prolific; '': any


def verify(
    token: str, *, key_for: Callable[[str], Any], expected: ExpectedClaims, may_be_old: bool = False
) -> None:
    """Raise BadToken unless Prolific signed it for this link.

    `key_for` says the public key with an id, None where there is none. `may_be_old` is for a token
    that was verified when it was new.
    """
    try:
        if len(token) > MOST:
            raise BadToken("It is too long.")
        key = key_for(str(jwt.get_unverified_header(token).get("kid", "")))
        if key is None:
            raise UnknownKey("No key of Prolific that we know has this id.")
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
        raise Expired("Its time is over.") from error
    except RecursionError as error:  # JSON that is nested too deeply
        raise BadToken("It cannot be read.") from error
    except (jwt.PyJWTError, ValueError) as error:
        if isinstance(error, BadToken):
            raise
        raise BadToken(translated_error(error)) from error
    _compare(claims, expected)


def _compare(claims: Mapping[str, Any], expected: ExpectedClaims) -> None:
    said = claims["prolific"]
    if not isinstance(said, dict) or not _is_for(claims["aud"], expected):
        raise BadToken("It is for another address.")
    wanted = dict(expected.parameters)
    if {name: str(value) for name, value in said.items() if name != "workspace_id"} != wanted:
        raise BadToken("Its parameters are not those of the link.")
    if claims["sub"] != wanted.get("SESSION_ID"):
        raise BadToken("It is for another submission.")
    if expected.workspace and said.get("workspace_id") != expected.workspace:
        raise BadToken("It is of another workspace.")


def _is_for(audience: object, expected: ExpectedClaims) -> bool:
    """Whether this is the study's address: with the link's parameters, or before Prolific filled
    them in, or without any."""
    if not isinstance(audience, str):
        return False
    parts = urlsplit(audience)
    if f"{parts.scheme}://{parts.netloc}{parts.path}" != expected.address or parts.fragment:
        return False
    unfilled = {name: f"{{{{%{name}%}}}}" for name in expected.parameters}
    given = [pair for pair in parse_qsl(parts.query) if pair[0] != PARAMETER]
    return sorted(given) in ([], sorted(expected.parameters.items()), sorted(unfilled.items()))


def fingerprint(token: str) -> str:
    """What is the same for all spellings of a token: what was signed, without the signature, whose
    last letter has bits that nobody reads."""
    return hashlib.sha256(token.rpartition(".")[0].encode()).hexdigest()
