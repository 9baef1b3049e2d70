"""Whose answers an analysis reads: the pools of raters, as judging counts them."""

from judging.raters.pools import EVERYBODY, KINDS, Pool, UnknownPool, offered, pool_of

__all__ = ["EVERYBODY", "KINDS", "Pool", "UnknownPool", "offered", "pool_of"]
