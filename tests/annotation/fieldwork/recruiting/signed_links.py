"""Links that Prolific signed, and others that look like it."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from django.utils import timezone
from jwt.algorithms import RSAAlgorithm

from tests.cast import prolific_link

HOST = "http://localhost:8000"
THEIRS, ANOTHER = (rsa.generate_private_key(public_exponent=65537, key_size=2048) for _ in range(2))


def published(**keys: Any) -> dict[str, Any]:
    """Return a key set as Prolific publishes it: kid -> private key."""
    listed = [
        RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
        | {"kid": kid, "alg": "RS256", "use": "sig"}
        for kid, key in keys.items()
    ]
    return {"keys": listed}


def claims_of(link: str, **changes: Any) -> dict[str, Any]:
    """Return the claims that Prolific signs for a link."""
    said = dict(parse_qsl(urlsplit(link).query))
    now = timezone.now()
    return {
        "iss": "https://www.prolific.com",
        "iat": now,
        "exp": now + timedelta(minutes=2),
        "aud": f"{HOST}{link}",
        "sub": said["SESSION_ID"],
        "prolific": said | {"workspace_id": "5f0f0f0f0f0f0f0f0f0f0f0f"},
    } | changes


def with_token(link: str, token: str) -> str:
    return f"{link}&{urlencode({'prolific_token': token})}"


def signed_link(
    name: str,
    *,
    submission: str = "first",
    slug: str = "lamps",
    key: Any = THEIRS,
    kid: str = "one",
    **changes: Any,
) -> str:
    link = prolific_link(name, slug=slug, submission=submission)
    token = jwt.encode(claims_of(link, **changes), key, algorithm="RS256", headers={"kid": kid})
    return with_token(link, token)
