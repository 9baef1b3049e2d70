"""Prolific: its codes and the way back to it.

Door: `PLATFORM`.
"""

from annotation.recruiting.prolific.outcomes import PLATFORM

__all__ = ["PLATFORM"]
