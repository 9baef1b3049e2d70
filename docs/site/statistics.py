"""Reference of the statistics: public functions and classes of a package, as Markdown."""

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNDERLINE = re.compile(r"-{3,}")
FIELD = re.compile(r"(`?[a-z_]\w*`?(?:, `?[a-z_]\w*`?)*) ?: (\S.*)")
SPECIAL = re.compile(r"([\\*_<>\[\]$|#~])")
Definition = ast.FunctionDef | ast.ClassDef


def statistics(package: str) -> str:
    """Return a section for each module of a package that has public names."""
    folder = ROOT / package.replace(".", "/")
    modules = sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")
    sections = (_module(path, f"{package}.{path.stem}") for path in modules)
    return "\n".join(section for section in sections if section)


def _module(path: Path, name: str) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = [node for node in tree.body if _is_public(node)]
    if not public:
        return ""
    title = path.stem.replace("_", " ").capitalize()
    head = f"## {title}\n\n`{name}`\n\n{docstring(ast.get_docstring(tree) or '')}\n"
    return head + "".join(_entry(node) for node in public if isinstance(node, Definition))


def _is_public(node: ast.stmt) -> bool:
    return (
        isinstance(node, Definition)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is not None
    )


def _entry(node: Definition) -> str:
    """Return the heading, signature and docstring of a function or class."""
    body = docstring(ast.get_docstring(node) or "")
    return f"\n### {node.name}\n\n```python\n{_signature(node)}\n```\n\n{body}\n"


def _signature(node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        fields = [ast.unparse(part) for part in node.body if isinstance(part, ast.AnnAssign)]
        head = f"class {node.name}({bases})" if bases else f"class {node.name}"
        return "\n    ".join([f"{head}:", *fields]) if fields else head
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{node.name}({ast.unparse(node.args)}){result}"
    if len(line) <= 80:
        return line
    return f"{node.name}(\n{_broken(ast.unparse(node.args))}\n){result}"


def _broken(arguments: str) -> str:
    """Return arguments one a line, split at commas outside of brackets."""
    lines, depth, start = [], 0, 0
    for place, sign in enumerate(arguments):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            lines.append(arguments[start : place + 1].strip())
            start = place + 1
    lines.append(arguments[start:].strip())
    return "\n".join(f"    {line}" for line in lines)


def docstring(text: str) -> str:
    """Return a docstring as Markdown: numpy sections as words in bold, fields as a list."""
    return "\n".join(_lines(cleandoc(text).splitlines()))


def _lines(lines: list[str]) -> Iterator[str]:
    in_field = is_code = False
    for number, line in enumerate(lines):
        before = lines[number - 1] if number else ""
        after = lines[number + 1] if number + 1 < len(lines) else ""
        if not line.strip():
            yield ""
            in_field = False
        elif UNDERLINE.fullmatch(line):
            yield ""
        elif UNDERLINE.fullmatch(after):
            yield f"**{line}**"
        elif line.startswith(" "):
            # After an empty line it is a formula; after a field, more of its meaning.
            is_code = not in_field and (is_code or not before.strip())
            yield f"    {line.strip()}" if is_code else f"  {escaped(line.strip())}"
        else:
            field = FIELD.fullmatch(line) if number else None
            is_code = False
            if field and not in_field and before.strip():
                yield ""
            yield f"- **{escaped(field[1])}**: {escaped(field[2])}" if field else escaped(line)
            in_field = bool(field) or in_field


def escaped(text: str) -> str:
    """Return text with the signs that Markdown reads, outside of code, taken as they are."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else SPECIAL.sub(r"\\\1", part) for part in parts)
