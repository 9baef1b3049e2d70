"""Prolific: its codes and the way back to it, what we tell it and what it tells us.

Doors: `PLATFORM`; `client.client_for_settings`, whose errors are those of `recruiting.calls`.
"""

from annotation.recruiting.prolific.outcomes import PLATFORM

__all__ = ["PLATFORM"]
