"""Rules of static/css/plots.css for files that stand alone, without any custom property.

Programs that draw SVG but know no var() (Inkscape, librsvg) get the light colours; browsers
follow the reader's scheme, and print is always light.
"""

import re
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "static" / "css" / "plots.css"
_COLOUR = re.compile(r"(--plot-[\w]+): var\(--[\w-]+, (#[0-9a-f]{6})\);")
MARGIN = 16  # around a file of its own, in viewBox units
_FRAME = re.compile(r'viewBox="0 0 (\S+) (\S+)" width="\S+" height="\S+"')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_USE = re.compile(r"var\((--[\w-]+)(?:, ([^;]*))?\)")


def palettes() -> tuple[dict[str, str], dict[str, str]]:
    """Return custom property -> colour, in light and in dark."""
    light, dark = SOURCE.read_text().split("@media screen and", 1)
    return dict(_COLOUR.findall(light)), dict(_COLOUR.findall(dark))


@cache
def stylesheet() -> str:
    """Return all rules with the colours written out; the dark ones only for screens.

    For a page with several plots: put it once into the page's own <style>.
    """
    looks = SOURCE.read_text().split("Looks --", 1)[1].split("*/", 1)[1]
    looks = " ".join(_COMMENT.sub("", looks.split("@media print", 1)[0]).split())
    light, dark = (_written(looks, palette) for palette in palettes())
    paper = ".plot { break-inside: avoid; print-color-adjust: exact; }"
    screen = "@media screen and (prefers-color-scheme: dark)"
    return f"{light} {screen} {{ {dark} }} @media print {{ {paper} }}"


def _margin(frame: re.Match[str]) -> str:
    width, height = (f"{float(size) + 2 * MARGIN:g}" for size in frame.groups())
    return f'viewBox="-{MARGIN} -{MARGIN} {width} {height}" width="{width}" height="{height}"'


def _written(rules: str, palette: dict[str, str]) -> str:
    return _USE.sub(lambda use: palette.get(use[1]) or use[2], rules)


def standalone(svg: str) -> str:
    """Return a plot as a file: with its style, right after the description, and a margin."""
    head, end, rest = _FRAME.sub(_margin, svg, count=1).partition("</desc>")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{head}{end}<style>{stylesheet()}</style>{rest}\n'
    )
