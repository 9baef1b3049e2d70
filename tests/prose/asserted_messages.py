"""Finds tests that assert on sentences of the interface: `python -m tests.prose.asserted_messages`.

Such tests fail whenever somebody rewords a message. Tests use roles, `data-` hooks, states, codes
and numbers instead. Words count if four of them in a row, or all three between two values, are in
a message, and if the test does not feed them in.
"""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.prose.messages import messages

TESTS = Path(__file__).resolve().parent.parent
# Files whose subject is the wording, or the output of commands.
ALLOWED = {"config/test_remembering.py", "config/test_settings.py"}
EXPECTATIONS = {
    *("to_contain_text", "to_have_text", "not_to_contain_text", "not_to_have_text"),
    *("get_by_text", "assertContains"),
}
LITERALS = (ast.Constant, ast.JoinedStr, ast.List, ast.Set, ast.Tuple)
# Of a message, a literal or a regular expression: what separates words.
VALUE = re.compile(r"%\(\w+\)[sd]|\{[^{}]*\}|<[^>]*>|https?:\S+|\\.|\w*[\d_]\w*|[^\w\s'’-]| '|' ")
WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")


def main() -> int:
    """Print the assertions, and return 1 if there are some."""
    known = {part for words in messages().values() for text in words for part in parts(text)}
    helpers = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_")]
    fed = {part for path in helpers for _, text in _strings(_tree(path)) for part in parts(text)}
    hits = [
        f"{path.relative_to(TESTS.parent)}:{line}: {text}"
        for path in sorted(TESTS.rglob("test_*.py"))
        if str(path.relative_to(TESTS)) not in ALLOWED
        for line, text in sentences(_tree(path), known - fed)
    ]
    sys.stdout.write("".join(f"{hit}\n" for hit in hits))
    return bool(hits)


def sentences(tree: ast.AST, known: set[str]) -> Iterator[tuple[int, str]]:
    """Yield line and text of the literals of assertions that have words of a message."""
    expectations = [part for node in ast.walk(tree) for part in _expectations(node)]
    inside = {id(node) for part in expectations for node in ast.walk(part)}
    values = _values(tree)
    loads = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    fed_names = {n.id for n in loads if isinstance(n.ctx, ast.Load) and id(n) not in inside}
    expected = {n.id for n in loads if id(n) in inside} - fed_names
    literals = [literal for name in sorted(expected) for literal in values[name]]
    inside |= {id(node) for literal in literals for node in ast.walk(literal)}
    fed = {
        part
        for node in ast.walk(tree)
        if id(node) not in inside
        for text in _text(node)
        for part in parts(text)
    }
    for line, text in dict.fromkeys(_all_strings([*expectations, *literals])):
        if not (known - fed).isdisjoint(parts(text)):
            yield line, text


def _expectations(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assert):
        yield node.test
    if isinstance(node, ast.Call):
        yield from (keyword.value for keyword in node.keywords if keyword.arg == "match")
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        yield from node.args if name in EXPECTATIONS else ()


def _values(tree: ast.AST) -> dict[str, list[ast.expr]]:
    """Return the literals by the name that is assigned or parametrized with them."""
    values: dict[str, list[ast.expr]] = defaultdict(list)
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name].append(value)
            case ast.Call(func=ast.Attribute(attr="parametrize"), args=[given, rows, *_]):
                names = [n.strip() for _, text in _strings(given) for n in text.split(",")]
                for row in getattr(rows, "elts", ()):
                    cells = row.args if isinstance(row, ast.Call) else getattr(row, "elts", [row])
                    for name, cell in zip(names, cells if len(names) > 1 else [row], strict=False):
                        values[name].append(cell)
    return defaultdict(
        list, {name: [v for v in some if isinstance(v, LITERALS)] for name, some in values.items()}
    )


def parts(text: str) -> set[str]:
    """Return each run of three words, and each four words of longer runs."""
    found = set()
    for run in VALUE.split(text.replace("&#x27;", "'").replace("’", "'")):
        words = WORD.findall(run)
        if len(words) == 3:
            found.add(" ".join(words))
        found |= {" ".join(words[at : at + 4]) for at in range(len(words) - 3)}
    return found


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _text(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str | bytes):
        return []
    return [node.value if isinstance(node.value, str) else node.value.decode(errors="replace")]


def _strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        for text in _text(node):
            yield getattr(node, "lineno", 0), text


def _all_strings(trees: Iterable[ast.AST]) -> Iterator[tuple[int, str]]:
    for tree in trees:
        yield from _strings(tree)


if __name__ == "__main__":
    sys.exit(main())
