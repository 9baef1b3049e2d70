"""Check formulas with the KaTeX file that pages use, run in QuickJS. Pure.

Pages typeset formulas in the browser (static/js/formulas.js) and show the source of formulas that
KaTeX rejects. Here KaTeX parses them without a browser, with the same limits.
"""

import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import quickjs

from annotation.texts.markdown.formulas import FORMULA
from annotation.texts.markdown.images import shortened
from annotation.texts.markdown.parser import parser, tokens_of

KATEX = Path(__file__).parents[2] / "static/vendor/katex-0.19.1/katex.min.js"
SIGNS = ("$", "\\(", "\\[")  # one of them is in each text with a formula
MOST_MEMORY = 128 * 1024 * 1024  # bytes
MOST_STACK = 4 * 1024 * 1024  # bytes
MOST_SECONDS = 5  # of a formula
# The limits of static/js/formulas.js.
PARSES = """
(source, displayMode) => {
  const untrusted = ({ command }) => { throw new Error(command); };
  const limits = { trust: untrusted, strict: "ignore", maxSize: 20, maxExpand: 200 };
  try {
    katex.__parse(source, { ...limits, displayMode, throwOnError: true });
    return true;
  } catch {
    return false;
  }
}
"""
_PARSER = parser()
_of_thread = threading.local()  # a QuickJS context can only be used in its own thread


def formulas_of(text: str) -> list[tuple[str, bool]]:
    """Return the formulas of a text, each with whether it is a display formula."""
    if not any(sign in text for sign in SIGNS):
        return []
    tokens = tokens_of(_PARSER, shortened(text).text) or []
    every = [child for token in tokens for child in (token, *(token.children or ()))]
    return [(one.content, one.info == "display") for one in every if one.type == FORMULA]


@lru_cache(maxsize=20_000)
def is_drawn(formula: str, is_display: bool) -> bool:
    """Return whether KaTeX can render a formula, given with its delimiters."""
    length = 1 if formula.startswith("$") and not formula.startswith("$$") else 2
    try:
        return bool(_parses()(formula[length:-length], is_display))
    except quickjs.JSException:  # memory or time limit exceeded
        del _of_thread.parses
        return False


def _parses() -> Callable[[str, bool], Any]:
    """Return the KaTeX parser of this thread."""
    if not hasattr(_of_thread, "parses"):
        context = quickjs.Context()
        context.set_memory_limit(MOST_MEMORY)
        context.set_max_stack_size(MOST_STACK)
        context.set_time_limit(MOST_SECONDS)
        context.eval(KATEX.read_text(encoding="utf-8"))
        _of_thread.parses = context.eval(PARSES)
    parses: Callable[[str, bool], Any] = _of_thread.parses
    return parses
