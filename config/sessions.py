"""Django's sessions in the database, read as every page of a researcher reads them.

Django asks for the session, then for whoever is logged in, and makes the words of both queries
again for each page. Here one query brings both, and its words are made once.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.auth.models import User
from django.contrib.sessions.backends import db
from django.db import connections, router
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django.utils.functional import SimpleLazyObject

from annotation.clock import database_now

BACKEND = "django.contrib.auth.backends.ModelBackend"  # of whoever gave a password
FIELDS = User._meta.concrete_fields
COLUMNS = [field.get_col(User._meta.db_table) for field in FIELDS]
READ = (
    f"SELECT session_data, {', '.join(f'auth_user.{field.column}' for field in FIELDS)}"
    " FROM django_session"
    " LEFT JOIN annotation_loginsession ON annotation_loginsession.key = session_key"
    " LEFT JOIN auth_user ON auth_user.id = annotation_loginsession.user_id"
    " WHERE session_key = %s AND expire_date > %s"
)


class SessionStore(db.SessionStore):
    # Whose it is by our own list of sessions (LoginSession), which proves nothing: see `logged_in`.
    # None for a session that is not in the list yet.
    owner: User | None = None

    def load(self) -> dict[str, Any]:
        """Return the session's data; empty and without a key if it is missing or expired."""
        connection = connections[router.db_for_read(self.model)]
        now = connection.ops.adapt_datetimefield_value(database_now())
        with connection.cursor() as cursor:
            cursor.execute(READ, [self.session_key, now])
            row = cursor.fetchone()
        if row is None:
            self._session_key = None
            return {}
        data, *values = row
        self.owner = _user(values, connection) if values[0] is not None else None
        return self.decode(data)


def _user(values: Iterable[Any], connection: Any) -> User:
    """Build a user from a row as a queryset would: SQLite has neither times nor booleans."""
    made = []
    for value, column in zip(values, COLUMNS, strict=True):
        converters = connection.ops.get_db_converters(column) + column.get_db_converters(connection)
        for convert in converters:
            value = convert(value, column, connection)
        made.append(value)
    return User.from_db(connection.alias, [field.attname for field in FIELDS], made)


class OwnerMiddleware(AuthenticationMiddleware):
    """Django's, without a query where the session has brought who is logged in."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = SimpleLazyObject(partial(_user_of, request))  # type: ignore[assignment]


def _user_of(request: HttpRequest) -> Any:
    if not hasattr(request, "_cached_user") and (owner := logged_in(request.session)):
        request._cached_user = owner  # type: ignore[attr-defined]  # where Django's own would put it
    return get_user(request)


def logged_in(session: Any) -> User | None:
    """Return the owner if the session proves it; Django decides about all other cases.

    The proof is a hash made from the owner's password at sign-in.
    """
    proof = session.get(HASH_SESSION_KEY)  # which reads the session, and its owner with it
    owner: User | None = getattr(session, "owner", None)
    if owner is None or not proof or session.get(SESSION_KEY) != str(owner.pk):
        return None
    if session.get(BACKEND_SESSION_KEY) != BACKEND or not owner.is_active:
        return None
    is_proven = constant_time_compare(proof, owner.get_session_auth_hash())
    return owner if is_proven else None
