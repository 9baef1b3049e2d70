"""Where calls to a model may go: to the world, and into the server's own network only if its
administrator allows that.

Researchers type the address, so it could lead our server to what only our server can reach: its
database, a printer, the cloud's own service with its keys. A name is looked up once, all that it
stands for is looked at, and the call goes to what was looked at: a name that stands for another
address a moment later leads nowhere.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from annotation.texts.sentences import Sentence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = {"http": 80, "https": 443}
# IPv6 addresses that carry one of IPv4, which is where they lead.
CARRIERS = {
    ipaddress.IPv6Network("64:ff9b::/96"): 0,  # NAT64: bits from the right
    ipaddress.IPv6Network("::/96"): 0,
    ipaddress.IPv6Network("2002::/16"): 80,  # 6to4
}


class BadAddress(ValueError):
    """Nothing can be called at such an address, or nothing may."""


class NotFound(Exception):
    """The name stands for no address, now."""


def check(url: str) -> str:
    """The address of an endpoint as it is used, its scheme in small letters, without what is
    refused: other than http, a password or a query in it (keys do not belong there, for addresses
    are shown)."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise BadAddress(
            Sentence("“{address}” is not an address of the web.", address=url.strip()[:100])
        ) from error
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise BadAddress(
            Sentence("An address begins with https:// or http:// and the name of a machine.")
        )
    if "@" in parts.netloc:
        raise BadAddress(
            Sentence("The address has a name or a password in it: the key has its own field.")
        )
    if parts.query or parts.fragment:
        raise BadAddress(
            Sentence("The address ends before “?” and “#”: the key has its own field.")
        )
    return parts.geturl().rstrip("/")


def resolved(host: str, port: int, *, inside: bool) -> str:
    """An address that `host` stands for; with one inside among them, none, unless that is
    allowed."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, ValueError) as error:  # also a name that no name can be
        raise NotFound(Sentence("The name {host} stands for no machine.", host=host)) from error
    known = [str(row[4][0]).partition("%")[0] for row in found]
    if not inside and not all(is_outside(ipaddress.ip_address(each)) for each in known):
        raise BadAddress(
            Sentence(
                "{host} is inside the network of this server, where calls go only if its "
                "administrator sets ENDPOINTS_INSIDE=1.",
                host=host,
            )
        )
    return known[0]


def is_outside(address: Address) -> bool:
    """Whether everybody in the world would reach the same machine there."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = _carried(address)
        if inner is not None:
            return is_outside(inner)
    return address.is_global and not address.is_multicast


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    for network, right in CARRIERS.items():
        if address in network:
            return ipaddress.IPv4Address(int(address) >> right & 0xFFFFFFFF)
    return None
