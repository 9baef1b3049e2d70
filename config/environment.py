"""Reading the environment without guessing."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

_YES, _NO = {"1", "true", "yes", "on"}, {"0", "false", "no", "off"}


class Environment(environ.Env):  # type: ignore[misc]
    """django-environ takes `DEBUG=maybe` for a no; here it refuses to start."""

    def bool(self, var: str, default: Any = environ.Env.NOTSET) -> bool:
        value = str(self.str(var, default=default)).strip().lower()
        if value not in _YES | _NO:
            raise ImproperlyConfigured(f"{var} must be 1 or 0, not {value!r}")
        return value in _YES

    def int(self, var: str, default: Any = environ.Env.NOTSET) -> int:
        value = str(self.str(var, default=default)).strip()
        if not value.isdecimal():
            raise ImproperlyConfigured(f"{var} must be a whole number, not {value!r}")
        return int(value)


def database(url: str) -> dict[str, Any]:
    """Return Django's settings for a database address."""
    try:
        options: dict[str, Any] = environ.Env.db_url_config(url)
    except ValueError as error:
        # The address itself has a password in it, so it is not repeated.
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: {error}") from error
    return options


def networks(name: str, values: list[str]) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return the networks of a setting, as 198.51.100.0/24 or 2001:db8::/32."""
    try:
        return tuple(ip_network(value.strip()) for value in values)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} must be networks: {error}") from error


def served_address(var: Path) -> str:
    """Return the address that `serve` last stored, which commands use for links."""
    note = var / "address"
    return (note.read_text().strip() if note.exists() else "") or "http://localhost:8000"


def may_get_secrets(url: str) -> bool:
    """Return whether a token can be sent there: nobody on the way reads it."""
    parts = urlsplit(url)
    is_local = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return bool(parts.hostname) and (
        parts.scheme == "https" or (parts.scheme == "http" and is_local)
    )
