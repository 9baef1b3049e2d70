"""Whose request it is, behind proxies and without."""

import pytest

from annotation.fieldwork.pages.client_address import UNKNOWN, client_address


def address(rf, settings, *, proxies, forwarded=None, sender="198.51.100.7"):
    settings.PROXIES = proxies
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return client_address(rf.get("/", headers=headers, REMOTE_ADDR=sender))


@pytest.mark.parametrize("forged", [None, "", "203.0.113.1", "203.0.113.1, 203.0.113.2"])
def test_without_a_proxy_a_forged_header_changes_nothing(rf, settings, forged):
    assert address(rf, settings, proxies=0, forwarded=forged) == "198.51.100.7"


@pytest.mark.parametrize("forged", ["", "203.0.113.1, ", "a, b, c, 203.0.113.1,"])
def test_behind_a_proxy_only_what_the_proxy_wrote_counts(rf, settings, forged):
    assert address(rf, settings, proxies=1, forwarded=f"{forged}192.0.2.9") == "192.0.2.9"


def test_two_proxies_write_two_entries(rf, settings):
    forwarded = "203.0.113.1, 192.0.2.9, 10.0.0.2"
    assert address(rf, settings, proxies=2, forwarded=forwarded) == "192.0.2.9"


@pytest.mark.parametrize("forwarded", [None, "", "192.0.2.9"])
def test_a_request_that_came_past_the_proxies_has_its_own_address(rf, settings, forwarded):
    assert address(rf, settings, proxies=2, forwarded=forwarded) == "198.51.100.7"


def test_a_customer_does_not_become_many_by_the_addresses_of_their_ipv6_network(rf, settings):
    one, two, other = (
        address(rf, settings, proxies=0, sender=sender)
        for sender in ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1")
    )
    assert one == two == "2001:db8:1:2::"
    assert other != one


def test_an_ipv4_address_in_ipv6_clothes_is_itself(rf, settings):
    assert address(rf, settings, proxies=0, sender="::ffff:192.0.2.9") == "192.0.2.9"


@pytest.mark.parametrize("sender", ["", "unix:", "fe80::1%eth0%", "1.2.3.4:80"])
def test_what_is_no_address_is_shared_and_never_an_error(rf, settings, sender):
    assert address(rf, settings, proxies=0, sender=sender) == UNKNOWN
