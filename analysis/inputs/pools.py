"""Pools of raters, as judging defines them."""

from judging.raters.pools import EVERYBODY, KINDS, Pool, UnknownPool, offered, pool_of

__all__ = ["EVERYBODY", "KINDS", "Pool", "UnknownPool", "offered", "pool_of"]
