"""Addresses that this server may call: public ones, and its own network only if allowed.

Researchers enter the address of a model, which could point at a service that only this server
reaches: its database, a printer, the cloud's metadata service. A name is looked up once, all
its addresses are checked, and the call uses a checked address, so a later change has no effect.
"""

import ipaddress
import queue
import socket
import threading
from collections.abc import Iterable
from urllib.parse import urlsplit

from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import Sentence

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Networks = tuple[Network, ...]

PORTS = {"http": 80, "https": 443}
LOOK_UP = 10.0  # seconds

# The special-purpose registries of IANA (iana.org/assignments/iana-ipv4-special-registry and
# iana-ipv6-special-registry, read in November 2026), and multicast. The lists are here because
# those of Python differ from version to version. Addresses of the registries that are public
# (anycast of AS112, relays) are no servers of models, so they are left out of the public ones.
SPECIAL_V4 = [
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
        "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24",
        "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15",
        "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
    )
]  # fmt: skip
# Only this part of IPv6 is assigned to public hosts: fec0::/10, 5f00::/16 and others lie outside.
PUBLIC_V6 = ipaddress.IPv6Network("2000::/3")
SPECIAL_V6 = [
    ipaddress.IPv6Network(network)
    for network in ("2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20")
]
# IPv6 addresses that carry one of IPv4, which is the one that they reach. The local-use prefix of
# NAT64 (64:ff9b:1::/48) is not among them: what it reaches depends on the network.
CARRIERS = {
    ipaddress.IPv6Network("::ffff:0:0/96"): 0,  # IPv4-mapped: bits from the right
    ipaddress.IPv6Network("64:ff9b::/96"): 0,  # NAT64
    ipaddress.IPv6Network("2002::/16"): 80,  # 6to4
}


class BadAddress(CodedError):
    """An address that cannot be called, or may not be called."""


class AddressNotFound(Exception):
    """A name that has no address now."""


def check(url: str) -> str:
    """Return the address of an endpoint as it is stored, its scheme in small letters.

    Raises
    ------
    BadAddress
        Where it is no http address, or has a password or a query in it: keys do not belong there,
        for addresses are shown.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise BadAddress(
            "invalid", Sentence("“{address}” isn't a web address.", address=url.strip()[:100])
        ) from error
    if parts.scheme not in PORTS or not parts.hostname or port == 0:
        raise BadAddress("invalid", Sentence("Enter an address such as https://example.org."))
    if "@" in parts.netloc:
        raise BadAddress(
            "secret", Sentence("Remove the user name and password. Enter the key in its own field.")
        )
    if parts.query or parts.fragment:
        raise BadAddress(
            "secret",
            Sentence("Remove “?” or “#” and everything after it. Enter the key in its own field."),
        )
    return parts.geturl().rstrip("/")


def resolve(
    host: str, port: int, *, inside: bool, refused: Networks = (), seconds: float = LOOK_UP
) -> list[str]:
    """Return the addresses of a name, all of them checked.

    `inside`: whether this server's own network may be called; `refused`: networks that may not be
    called in any case. One bad address among several is enough to refuse the name.

    Raises
    ------
    BadAddress, NotFound
    """
    resolved = list(dict.fromkeys(_looked_up(host, port, seconds)))
    parsed = [ipaddress.ip_address(address) for address in resolved]
    if any(is_refused(address, refused) for address in parsed):
        raise BadAddress(
            "blocked_network",
            Sentence("{host} is in a blocked network (REFUSED_NETWORKS).", host=host),
        )
    if not inside and not all(map(is_outside, parsed)):
        raise BadAddress(
            "inside_network",
            Sentence(
                "{host} is inside this server's network. To allow this, set ENDPOINTS_INSIDE=1.",
                host=host,
            ),
        )
    return resolved


def is_outside(address: Address) -> bool:
    """Return whether this is a public address, which is the same machine for everybody."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in SPECIAL_V4)
    carried = _carried(address)
    if carried is not None:
        return is_outside(carried)
    return address in PUBLIC_V6 and not any(address in network for network in SPECIAL_V6)


def is_refused(address: Address, refused: Iterable[Network]) -> bool:
    """Return whether the address, or one of IPv4 that it carries, is in one of the networks."""
    candidates: list[Address] = [address]
    if isinstance(address, ipaddress.IPv6Address) and (carried := _carried(address)):
        candidates.append(carried)
    return any(candidate in network for candidate in candidates for network in refused)


def _looked_up(host: str, port: int, seconds: float) -> list[str]:
    """Ask the resolver, in a thread of its own: nothing else ends its patience."""
    answers: queue.SimpleQueue[list[str] | Exception] = queue.SimpleQueue()

    def ask() -> None:
        try:
            rows = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answers.put([str(row[4][0]).partition("%")[0] for row in rows])
        except (OSError, ValueError) as error:  # ValueError: no name can be like this
            answers.put(error)

    threading.Thread(target=ask, name="look up", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except queue.Empty as error:
        raise AddressNotFound(Sentence("Looking up {host} timed out.", host=host)) from error
    if isinstance(answer, Exception) or not answer:
        cause = answer if isinstance(answer, Exception) else None
        raise AddressNotFound(Sentence("Host {host} not found.", host=host)) from cause
    return answer


def _carried(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    for network, right in CARRIERS.items():
        if address in network:
            return ipaddress.IPv4Address(int(address) >> right & 0xFFFFFFFF)
    return None
