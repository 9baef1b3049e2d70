"""How a server looks for what nobody refers to any more."""

import gc

NEW = 50_000  # objects before they are looked through; Python's own 700 are made by any page


def settle() -> None:
    """What is loaded by now stays: looking for garbage need not go through it again and again.

    Half of the time of a page that reads tens of thousands of texts went into that.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(NEW)
