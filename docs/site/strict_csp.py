"""Inline scripts and styles of built pages as files: the product's CSP allows no inline ones."""

import hashlib
import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
# The theme's icons have one declaration each, which is also an attribute of SVG.
DECLARATION = re.compile(r' style="([a-z]+): ?([\w.%]+);?"')


def externalise(app: Sphinx, error: Exception | None) -> None:
    """Move every inline script and style of the built pages into `_static/inline`."""
    if error or app.builder.format != "html":
        return
    folder = Path(app.outdir) / "_static" / "inline"
    folder.mkdir(parents=True, exist_ok=True)
    for page in Path(app.outdir).rglob("*.html"):
        depth = len(page.relative_to(app.outdir).parts) - 1
        base = "../" * depth + "_static/inline/"
        html = page.read_text(encoding="utf-8")

        def as_script(match: re.Match[str], base: str = base) -> str:
            return f'<script src="{base}{_saved(folder, match[1], "js")}"></script>'

        def as_style(match: re.Match[str], base: str = base) -> str:
            return f'<link rel="stylesheet" href="{base}{_saved(folder, match[1], "css")}">'

        strict = DECLARATION.sub(r' \1="\2"', STYLE.sub(as_style, SCRIPT.sub(as_script, html)))
        if strict != html:
            page.write_text(strict, encoding="utf-8")


def _saved(folder: Path, code: str, ending: str) -> str:
    name = f"{hashlib.sha256(code.encode()).hexdigest()[:12]}.{ending}"
    (folder / name).write_text(code, encoding="utf-8")
    return name


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("build-finished", externalise)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
