"""Names in bold in the guides are those of the interface: buttons, links, headings, fields."""

import json
import re
from pathlib import Path

from config import catalogues
from tests.config.test_guide_lengths import GUIDES
from tests.services.children import ROOT

BOLD = re.compile(r"\*\*([^*\n]+)\*\*(:?)")
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.M | re.S)
EXCEPTIONS = Path(__file__).with_name("guide_names.json")  # by guide; only shrinks
HOLE = re.compile(r"%\(\w+\)[sd]|\{[^{}]*\}")


def plain(text: str) -> str:
    """Return a name without markup, case, ellipsis, quotation marks and the point at its end."""
    text = re.sub(r"<[^>]*>", "", text).replace("’", "'")
    return " ".join(text.split()).casefold().strip(" .…:")


def interface() -> tuple[set[str], list[re.Pattern[str]]]:
    """Return the names of the interface, and patterns of those with values in them."""
    messages = set()
    for domain in ("console", *catalogues.DOMAINS):
        for message in catalogues.extracted(domain):
            forms = message.id if isinstance(message.id, tuple) else (message.id,)
            messages |= set(forms)
    for folder in ("judging/instruments", "writing/instruments"):
        for path in (ROOT / folder).rglob("*.json"):
            content = json.loads(path.read_text())
            messages |= {str(content.get(key, "")) for key in ("title", "name")}
    names = {plain(HOLE.sub("", text)) for text in messages} | {plain(text) for text in messages}
    short = [text for text in messages if HOLE.search(text) and len(text) < 60]
    patterns = [HOLE.split(plain(text)) for text in short]
    return names, [
        re.compile(".+".join(map(re.escape, parts))) for parts in patterns if "".join(parts).strip()
    ]


def unknown_names() -> dict[str, list[str]]:
    """Return the odd names of each guide. A term before a colon or point is defined there."""
    names, patterns = interface()
    found = {}
    for guide in GUIDES:
        marked = BOLD.findall(CODE.sub("", guide.read_text()))
        bold = [name for name, colon in marked if not colon and not name.endswith(".")]
        odd = {
            name
            for name in bold
            if plain(name) not in names
            and not any(pattern.fullmatch(plain(name)) for pattern in patterns)
        }
        if odd:
            found[guide.stem] = sorted(odd)
    return found


def test_bold_names_of_guides_are_in_the_interface() -> None:
    assert unknown_names() == json.loads(EXCEPTIONS.read_text())
