"""Code: where it stands in a line, and the colours of fenced code.

Colours are Pygments' tokens as a few classes, bounded in size and in time.
"""

import time
from functools import lru_cache
from typing import Any

from markdown_it.common.utils import escapeHtml
from markdown_it.rules_inline import StateInline, backtick
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Token as Kind
from pygments.util import ClassNotFound

MAX_LENGTH = 20_000  # characters of code that is coloured
MAX_LINE = 2_000  # a regular expression of a lexer may need long for a longer line
MAX_SECONDS = 0.1  # of the processor: a busy machine shows the same colours
# Those of chat windows. Others, such as templates in templates, stay without colours.
LANGUAGES = frozenset(
    [
        "bash",
        "c",
        "c++",
        "c#",
        "cpp",
        "cs",
        "csharp",
        "css",
        "diff",
        "docker",
        "dockerfile",
        "go",
        "golang",
        "haskell",
        "hs",
        "html",
        "ini",
        "java",
        "javascript",
        "js",
        "json",
        "json5",
        "jsx",
        "julia",
        "kotlin",
        "latex",
        "lua",
        "make",
        "makefile",
        "matlab",
        "nginx",
        "perl",
        "php",
        "powershell",
        "ps1",
        "py",
        "python",
        "python3",
        "r",
        "rb",
        "rs",
        "ruby",
        "rust",
        "scala",
        "sh",
        "shell",
        "sql",
        "swift",
        "tex",
        "toml",
        "ts",
        "tsx",
        "typescript",
        "xml",
        "yaml",
        "yml",
        "zsh",
    ]
)
CLASSES = (
    (Kind.Comment, "hl-comment"),
    (Kind.Keyword, "hl-keyword"),
    (Kind.Operator.Word, "hl-keyword"),
    (Kind.Name.Tag, "hl-keyword"),
    (Kind.Literal.String, "hl-string"),
    (Kind.Literal.Number, "hl-number"),
    (Kind.Name.Function, "hl-name"),
    (Kind.Name.Class, "hl-name"),
    (Kind.Name.Decorator, "hl-name"),
    (Kind.Name.Attribute, "hl-name"),
    (Kind.Name.Builtin, "hl-name"),
    (Kind.Generic.Inserted, "hl-inserted"),
    (Kind.Generic.Deleted, "hl-deleted"),
)
CLASS_NAMES = frozenset(name for _, name in CLASSES)


def code_span(state: StateInline, silent: bool) -> bool:
    """Read code in a line as CommonMark does; its token keeps where it is: `meta["span"]`."""
    start, count = state.pos, len(state.tokens)
    is_read = backtick(state, silent)
    if is_read and len(state.tokens) > count and state.tokens[-1].type == "code_inline":
        state.tokens[-1].meta["span"] = (start, state.pos)
    return is_read


def highlighted(code: str, language: str) -> str:
    """Return HTML of the code, without colours if its language is unknown or it takes too long."""
    is_short = len(code) <= MAX_LENGTH and max(map(len, code.split("\n"))) <= MAX_LINE
    lexer = _lexer(language.lower()) if is_short else None
    html = _coloured(code, lexer) if lexer else None
    return escapeHtml(code) if html is None else html


def _coloured(code: str, lexer: Lexer) -> str | None:
    """Return HTML with classes; None if it takes too long or would change the code."""
    until = time.thread_time() + MAX_SECONDS
    pieces: list[str] = []
    length = 0
    for kind, words in lexer.get_tokens(code):
        if time.thread_time() > until or not code.startswith(words, length):
            return None
        length += len(words)
        name = _class_of(kind)
        piece = escapeHtml(words)
        pieces.append(f'<span class="{name}">{piece}</span>' if name else piece)
    return "".join(pieces) if length == len(code) else None


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    if language not in LANGUAGES:
        return None
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _class_of(kind: Any) -> str:
    return next((name for of, name in CLASSES if kind in of), "")
