"""Calls go to public addresses, and into the server's own network only if allowed."""

import ipaddress
import socket

import pytest

from annotation.outgoing import addresses
from config.environment import networks
from judging.calls.client import BusyServer, Endpoint, RefusedCall
from tests.coded_errors import raises


def stands_for(monkeypatch, *found):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::7f00:1",
        # The rest of IANA's special-purpose registries, and what is not assigned to hosts.
        "192.0.0.9", "192.0.2.1", "192.31.196.1", "192.52.193.1", "192.88.99.1", "192.175.48.1",
        "198.18.0.1", "198.51.100.1", "203.0.113.1", "240.0.0.1",
        "fec0::1", "64:ff9b:1::5db8:d70e", "5f00::1", "3fff::1", "100::1", "100:0:0:1::1",
        "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:30::1", "2001:db8::1",
        "2620:4f:8000::1", "::ffff:0:5db8:d70e", "::5db8:d70e", "4000::1", "e000::1",
    ],
)  # fmt: skip
def test_an_address_inside_is_refused(monkeypatch, address):
    assert not addresses.is_outside(ipaddress.ip_address(address))
    stands_for(monkeypatch, "93.184.215.14", address)
    with raises(addresses.BadAddress, "inside_network"):
        addresses.resolve("judge.example", 443, inside=False)
    assert addresses.resolve("judge.example", 443, inside=True)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111", "64:ff9b::5db8:d70e"])
def test_the_world_is_outside(monkeypatch, address):
    stands_for(monkeypatch, address)
    assert addresses.resolve("judge.example", 443, inside=False) == [address]


@pytest.mark.parametrize("name", ["2130706433", "0x7f.1", "127.1", "localhost"])
def test_this_machine_is_inside_however_it_is_written(name):
    with pytest.raises((addresses.BadAddress, addresses.AddressNotFound)):
        addresses.resolve(name, 443, inside=False)


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://a.example", "invalid"),
        ("a.example/v1", "invalid"),
        ("https://", "invalid"),
        ("https://[::1", "invalid"),
        ("https://a.example:99999", "invalid"),
        ("https://rita:secret@a.example/v1", "secret"),
        ("https://a.example/v1?key=secret", "secret"),
    ],
)
def test_what_is_no_address_of_an_endpoint_is_refused(url, code):
    with pytest.raises(RefusedCall) as caught:
        Endpoint(url)
    assert caught.value.kind == "address"
    assert caught.value.__cause__.code == code
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("address", ["198.51.7.9", "::ffff:198.51.7.9", "64:ff9b::c633:709"])
@pytest.mark.parametrize("inside", [True, False])
def test_a_refused_network_is_not_called(monkeypatch, address, inside):
    refused = (ipaddress.ip_network("198.51.7.0/24"), ipaddress.ip_network("2a00:1::/32"))
    stands_for(monkeypatch, "93.184.215.14", address)
    with raises(addresses.BadAddress, "blocked_network"):
        addresses.resolve("judge.example", 443, inside=inside, refused=refused)
    stands_for(monkeypatch, "93.184.215.14", "2a00:2::1")
    assert addresses.resolve("judge.example", 443, inside=inside, refused=refused)


def test_a_name_is_looked_up_once_and_called_where_it_was_checked(monkeypatch):
    """A name that moves after the check leads nowhere else."""
    called = []

    def connect(address, **_):
        stands_for(monkeypatch, "127.0.0.1")
        called.append(address)
        raise OSError("enough")

    monkeypatch.setattr(socket, "create_connection", connect)
    stands_for(monkeypatch, "93.184.215.14", "93.184.215.15")
    with Endpoint("https://judge.example/v1") as endpoint:
        with pytest.raises(BusyServer, match="enough"):
            endpoint.ask(messages=[], model="m")
        assert called == [("93.184.215.14", 443), ("93.184.215.15", 443)]
        with pytest.raises(RefusedCall, match="ENDPOINTS_INSIDE"):
            endpoint.ask(messages=[], model="m")


def test_refused_networks_are_a_setting_that_judges_obey(monkeypatch, settings):
    settings.REFUSED_NETWORKS = networks("REFUSED_NETWORKS", ["93.184.0.0/16"])
    stands_for(monkeypatch, "93.184.215.14")
    endpoint = Endpoint("https://judge.example/v1", refused=settings.REFUSED_NETWORKS)
    with endpoint, pytest.raises(RefusedCall, match="REFUSED_NETWORKS"):
        endpoint.ask(messages=[], model="m")


def test_a_key_is_not_sent_without_encryption():
    with pytest.raises(RefusedCall, match="https"):
        Endpoint("http://judge.example/v1", key="sk-123456789")


@pytest.mark.parametrize("typed", ["HTTP://judge.example/v1", " Http://judge.example/v1/"])
def test_however_the_scheme_is_typed(typed):
    assert addresses.check(typed) == "http://judge.example/v1"
    with pytest.raises(RefusedCall, match="https"):
        Endpoint(typed, key="sk-123456789")
