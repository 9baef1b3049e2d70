"""Reads the numbers of a page that lead to what they count, and what is there."""

import re
from decimal import Decimal
from html import unescape

COUNTED = re.compile(r'<a class="counted" href="([^"]+)" data-counted="(\d+)"')
TOTAL = re.compile(r'data-total="(\d+)"')


def counted_on(client, address):
    """Each number of a page: the address of its list, and the number."""
    response = client.get(address)
    assert response.status_code == 200, address
    return [(unescape(href), int(n)) for href, n in COUNTED.findall(response.content.decode())]


def total_of(client, address):
    """How many rows a list says that it has."""
    response = client.get(address)
    assert response.status_code == 200, address
    (total,) = TOTAL.findall(response.content.decode())
    return int(total)


SUMMED = re.compile(r'<a class="counted" href="([^"]+)" data-summed="([\d.]+)"')
SUM = re.compile(r'data-sum="([\d.]+)"')


def summed_on(client, address):
    """Each amount of a page: the address of its list, and the amount."""
    response = client.get(address)
    return [(unescape(href), Decimal(n)) for href, n in SUMMED.findall(response.text)]


def sum_of(client, address):
    """Return the total that a list reports."""
    (amount,) = SUM.findall(client.get(address).text)
    return Decimal(amount)
