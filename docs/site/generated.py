"""Pages made from code while the site is built, and links to files outside docs/.

A fenced block `{statistics} PACKAGE` becomes the public functions and classes of a package, and
`{rest-api}` every request of the programming interface. Files of the checkout outside docs/ are
named, not linked, except for those that have a page of their own (OUTSIDE).
"""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from sphinx.application import Sphinx

from docs.site.navigation import contents
from docs.site.rest_api import rest_api
from docs.site.statistics import statistics

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```\{(statistics|rest-api)\} ?(\S*)\n```$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)#\s:]+)(#[^)\s]*)?\)")
# A page of the site for a file outside docs/.
OUTSIDE = {
    "developer/architecture": "ARCHITECTURE.md",
    "developer/contributing": "CONTRIBUTING.md",
    "developer/measured": "benchmarks/RESULTS.md",
    "developer/security": "SECURITY.md",
}


def complete(app: Sphinx, docname: str, source: list[str]) -> None:
    """Fill in the generated parts of a page and mend its links."""
    path = f"docs/{docname}.md"
    if docname in OUTSIDE:
        path = OUTSIDE[docname]
        source[0] = (ROOT / path).read_text(encoding="utf-8")
        app.env.note_dependency(str(ROOT / path))
    text = BLOCK.sub(_generated, source[0])
    source[0] = with_links(text, path=path, docname=docname) + contents(docname)


def with_links(text: str, *, path: str, docname: str) -> str:
    """Return the text of a file, `path`, with its links as a page, `docname`, has them."""
    return LINK.sub(lambda match: _link(match, path=path, docname=docname), text)


def _generated(match: re.Match[str]) -> str:
    return statistics(match[2]) if match[1] == "statistics" else rest_api()


def _link(match: re.Match[str], *, path: str, docname: str) -> str:
    """Return a link as the site has it: to a page, or the path of a file that has none."""
    words, target, anchor = match[1], match[2], match[3] or ""
    file = normpath(PurePosixPath(path).parent / target)
    pages = {file: f"docs/{name}.md" for name, file in OUTSIDE.items()}
    page = pages.get(file, file)
    if page.startswith("docs/") and page.endswith(".md"):
        return f"[{words}]({relpath(page, PurePosixPath(f'docs/{docname}').parent)}{anchor})"
    if not (ROOT / file).exists():
        return match[0]  # Sphinx warns
    code = words.strip("`")
    return f"`{file}`" if code in (file, PurePosixPath(file).name) else f"{words} (`{file}`)"


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", complete)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
