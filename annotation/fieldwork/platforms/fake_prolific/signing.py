"""Signatures of the fake: webhooks, links and their keys."""

import base64
import hashlib
import hmac
import json
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from annotation.fieldwork.platforms.fake_prolific.world import Submission

ISSUER = "https://www.prolific.com"
LIFETIME = 120  # seconds
WORKSPACE = "65a000000000000000000000"


class Signer:
    """Signs links with the last key; earlier ones stay published until forgotten."""

    def __init__(self) -> None:
        self.keys: list[rsa.RSAPrivateKey] = []
        self.first = 0  # number of the first key that is still published
        self.rotate()

    def rotate(self) -> None:
        self.keys.append(rsa.generate_private_key(public_exponent=65537, key_size=2048))

    def forget(self) -> None:
        """Publish the newest key alone."""
        self.first = len(self.keys) - 1

    def jwks(self) -> dict[str, Any]:
        published = list(enumerate(self.keys))[self.first :]
        return {"keys": [_published(key, number) for number, key in published]}

    def token(self, claims: dict[str, Any]) -> str:
        """Return a JSON Web Token (RFC 7519), signed with RS256 (RFC 7518, 3.3)."""
        header = {"alg": "RS256", "typ": "JWT", "kid": f"key-{len(self.keys) - 1}"}
        signed = f"{_encoded(header)}.{_encoded(claims)}"
        signature = self.keys[-1].sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f"{signed}.{_base64url(signature)}"


def link(submission: Submission, *, signer: Signer, now: float) -> str:
    """Return the address of the study for one participant, signed if the study asks for it."""
    values = {
        "PROLIFIC_PID": submission.participant,
        "STUDY_ID": submission.study.id,
        "SESSION_ID": submission.id,
    }
    fields = submission.study.fields
    address: str = fields["external_study_url"]
    for name, value in values.items():
        for placeholder in (f"{{{{%{name}%}}}}", quote(f"{{{{%{name}%}}}}", safe="")):
            address = address.replace(placeholder, quote(value))
    if not fields.get("is_external_study_url_secure"):
        return address
    query = urlsplit(address).query
    claims = {
        "iss": ISSUER,
        "iat": int(now),
        "exp": int(now) + LIFETIME,
        "aud": address,
        "sub": submission.id,
        "prolific": {**dict(parse_qsl(query)), "workspace_id": WORKSPACE},
    }
    token = urlencode({"prolific_token": signer.token(claims)})
    return f"{address}{'&' if query else '?'}{token}"


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the X-Prolific-Request-Signature of a webhook."""
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return base64.b64encode(digest).decode()


def _published(key: rsa.RSAPrivateKey, number: int) -> dict[str, str]:
    public = key.public_key().public_numbers()
    shape = {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": f"key-{number}"}
    return {**shape, "n": _number(public.n), "e": _number(public.e)}


def _number(value: int) -> str:
    return _base64url(value.to_bytes((value.bit_length() + 7) // 8, "big"))


def _encoded(content: dict[str, Any]) -> str:
    return _base64url(json.dumps(content, separators=(",", ":")).encode())


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
