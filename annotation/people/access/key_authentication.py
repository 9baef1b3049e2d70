"""Authentication of programs: `Authorization: Bearer cw_…`."""

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from annotation.clock import database_now
from annotation.models.keys import ApiKey
from annotation.people.access.making_keys import key_of, note_use

SENTENCE = "This API key is unknown, revoked or expired."


class KeyAuthentication(BaseAuthentication):
    """A request with a key acts for the person of the key; `request.auth` is the key."""

    def authenticate(self, request: Request) -> tuple[User, ApiKey] | None:
        scheme, _, presented = get_authorization_header(request).partition(b" ")
        if scheme.lower() != b"bearer":
            return None
        now = database_now()
        try:
            key = key_of(presented.strip().decode("ascii"), now=now)
        except UnicodeDecodeError:
            key = None
        if key is None:
            raise AuthenticationFailed(SENTENCE)
        note_use(key=key, now=now)
        return key.user, key

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Name of the authentication in the description of the API."""

    target_class = KeyAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "One of your API keys."}
