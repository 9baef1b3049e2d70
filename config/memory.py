"""How our processes look for what nobody refers to any more."""

import gc

NEW = 50_000  # objects before they are looked through; Python's own 700 are made by any page


def look_seldom() -> None:
    """While a process starts, nothing of what it loads goes: looking for garbage again and again
    takes a tenth of its start."""
    gc.set_threshold(NEW)


def settle() -> None:
    """What is loaded by now stays: looking for garbage need not go through it again and again.

    Half of the time of a page that reads tens of thousands of texts went into that.
    """
    gc.collect()
    gc.freeze()
