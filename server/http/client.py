"""Clients: who it is that asks, as far as an address tells."""

from ipaddress import IPv6Address, ip_address

from starlette.requests import Request

_CHOSEN = 64
"""Bits of an IPv6 address that its owner chooses."""


def network(request: Request) -> str | None:
    """Return the address of a client, or what all its addresses begin with; None if unknown."""
    if request.client is None:
        return None
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return request.client.host
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(IPv6Address(int(address) >> _CHOSEN << _CHOSEN))
