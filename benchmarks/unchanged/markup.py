"""HTML in a form in which only differences count that a browser shows."""

import re

TOKEN = re.compile(r"""(<!--.*?-->|<(?:"[^"]*"|'[^']*'|[^>"'])*>)""", re.DOTALL)
NAME = re.compile(r"</?\s*([A-Za-z][\w:-]*)")
VALUE = re.compile(r"""("[^"]*"|'[^']*')""")
SPACE = re.compile(r"\s+")
EXACT = {"pre", "textarea", "script", "style"}  # space inside them counts
# Space before and after these is shown; around all others it is not.
INLINE = {
    *("a", "abbr", "b", "bdi", "bdo", "br", "button", "cite", "code", "data", "del", "dfn", "em"),
    *("i", "img", "input", "ins", "kbd", "label", "mark", "output", "q", "s", "samp", "select"),
    *("small", "span", "strong", "sub", "sup", "svg", "text", "time", "tspan", "u", "var", "wbr"),
}
MASKS = [
    (re.compile(r'(name="csrfmiddlewaretoken" value=")[^"]*'), r"\1CSRF"),
    (re.compile(r'(X-CSRFToken(?:"|&quot;): ?(?:"|&quot;))\w+'), r"\1CSRF"),
    (re.compile(r'(nonce=")[^"]*'), r"\1NONCE"),
    (re.compile(r"(/static/[\w/.-]+?)\.[0-9a-f]{12}(\.\w+)"), r"\1\2"),
]


def normalised(html: str) -> str:
    """Return a page with one block element a line, without tokens of a session."""
    for pattern, mask in MASKS:
        html = pattern.sub(mask, html)
    pieces: list[str] = []
    exact = ""
    before_block = after_block = True
    for part in TOKEN.split(html):
        name = NAME.match(part)
        tag = name[1].lower() if name else ""
        if exact:
            pieces.append(part)
            if tag == exact and part.startswith("</"):
                exact = ""
            continue
        if part.startswith("<") and (tag or part.startswith("<!")):
            before_block = tag not in INLINE
            if before_block and pieces:
                pieces[-1] = pieces[-1].rstrip(" ")
                pieces.append("\n")
            pieces.append(_tag(part))
            after_block = before_block
            exact = tag if tag in EXACT and not part.startswith("</") else ""
        elif part:
            text = SPACE.sub(" ", part)
            if after_block or (pieces and pieces[-1].endswith(" ")):
                text = text.lstrip(" ")
            if text:
                pieces.append(text)
                after_block = False
    return "".join(pieces).strip() + "\n"


def _tag(tag: str) -> str:
    """Return a tag with one space between its attributes."""
    parts = VALUE.split(tag)
    for at in range(0, len(parts), 2):
        parts[at] = SPACE.sub(" ", parts[at])
    for at in range(1, len(parts), 2):
        if parts[at - 1].endswith(("class=", " d=", "hx-select-oob=", "points=", "style=")):
            value = SPACE.sub(" ", parts[at])
            parts[at] = value[0] + value[1:-1].strip() + value[-1]
    return re.sub(r"\s+(/?>)$", r"\1", "".join(parts))
