"""Calls to models go out into the world, and into the server's own network only if allowed."""

import ipaddress
import socket

import pytest

from judging.machines import addresses
from judging.machines.client import Endpoint, Refused


def stands_for(monkeypatch, *found):
    rows = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in found]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: rows)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
        "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "ff02::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "::7f00:1",
    ],
)  # fmt: skip
def test_an_address_inside_is_refused(monkeypatch, address):
    assert not addresses.is_outside(ipaddress.ip_address(address))
    stands_for(monkeypatch, "93.184.215.14", address)
    with pytest.raises(addresses.BadAddress, match="ENDPOINTS_INSIDE"):
        addresses.resolved("judge.example", 443, inside=False)
    assert addresses.resolved("judge.example", 443, inside=True)


@pytest.mark.parametrize("address", ["93.184.215.14", "2606:4700::1111", "64:ff9b::5db8:d70e"])
def test_the_world_is_outside(monkeypatch, address):
    stands_for(monkeypatch, address)
    assert addresses.resolved("judge.example", 443, inside=False) == address


@pytest.mark.parametrize("name", ["2130706433", "0x7f.1", "127.1", "localhost"])
def test_this_machine_is_inside_however_it_is_written(name):
    with pytest.raises((addresses.BadAddress, addresses.NotFound)):
        addresses.resolved(name, 443, inside=False)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("ftp://a.example", "begins with https"),
        ("a.example/v1", "begins with https"),
        ("https://", "begins with https"),
        ("https://[::1", "not an address"),
        ("https://a.example:99999", "not an address"),
        ("https://rita:secret@a.example/v1", "its own field"),
        ("https://a.example/v1?key=secret", "its own field"),
    ],
)
def test_what_is_no_address_of_an_endpoint_is_refused(url, sentence):
    with pytest.raises(Refused, match=sentence) as caught:
        Endpoint(url)
    assert "secret" not in str(caught.value)


def test_a_name_that_moves_after_it_was_looked_at_leads_nowhere_else(monkeypatch):
    """The call goes to the address that was looked at; the certificate is still the name's."""
    stands_for(monkeypatch, "93.184.215.14")
    endpoint = Endpoint("https://judge.example/v1")
    seen = []

    def handle(request):
        stands_for(monkeypatch, "127.0.0.1")
        seen.append((request.url.host, request.headers["Host"], request.extensions["sni_hostname"]))
        raise addresses.NotFound("enough")

    monkeypatch.setattr(endpoint._http._transport._inner, "handle_request", handle)
    for _ in range(2):
        with pytest.raises(Exception, match="enough"):
            endpoint.ask(messages=[], model="m")
    assert seen == [("93.184.215.14", "judge.example", "judge.example")] * 2


def test_a_key_is_not_sent_without_encryption():
    with pytest.raises(Refused, match="https"):
        Endpoint("http://judge.example/v1", key="sk-123456789")


@pytest.mark.parametrize("typed", ["HTTP://judge.example/v1", " Http://judge.example/v1/"])
def test_however_the_scheme_is_typed(typed):
    assert addresses.check(typed) == "http://judge.example/v1"
    with pytest.raises(Refused, match="https"):
        Endpoint(typed, key="sk-123456789")
