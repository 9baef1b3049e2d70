"""Outgoing HTTP: one client for everything that this server asks of others.

Door: `client.Client` (deadline, limits on bytes, no compression), `addresses.check` and
`addresses.resolve` (which addresses may be called). All of it is pure.
"""
