"""The network address of the client of a request."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "0.0.0.0"  # all whose address cannot be read share one


def client_address(request: HttpRequest) -> str:
    """Return what limits count by: an IPv4 address, or the /64 that one customer has of IPv6.

    Each of our `settings.PROXIES` proxies appends its client to X-Forwarded-For. Entries before
    these come from the client and prove nothing.
    """
    sender: str = request.META.get("REMOTE_ADDR") or ""
    forwarded = request.headers.get("X-Forwarded-For", "").split(",")
    if 0 < settings.PROXIES <= len(forwarded):
        sender = forwarded[-settings.PROXIES].strip() or sender
    try:
        return _counted(ip_address(sender))
    except ValueError:
        return UNKNOWN


def _counted(address: IPv4Address | IPv6Address) -> str:
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address.packed, 64), strict=False).network_address)
