"""Reading a plot back: valid XML, and where everything in it stands."""

import re
from functools import partial
from xml.etree import ElementTree

from analysis.plots.text_fitting import SIZE, SMALL, extent

SVG = "{http://www.w3.org/2000/svg}"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def parsed(svg):
    return ElementTree.fromstring(svg)


def written(svg):
    """Every line of text that is drawn, in document order."""
    return [
        element.text or (element[-1].tail if len(element) else "")
        for element in parsed(svg).iter(f"{SVG}text")
    ]


def with_class(svg, name):
    return [
        element for element in parsed(svg).iter() if name in (element.get("class") or "").split()
    ]


def _number(each, key):
    return float(each.get(key))


def places(svg):
    """(x, y) of all corners of all marks; text counts with its estimated extent."""
    for element in parsed(svg).iter():
        get = partial(_number, element)
        match element.tag.removeprefix(SVG):
            case "line":
                yield from ((get("x1"), get("y1")), (get("x2"), get("y2")))
            case "rect":
                yield from (
                    (get("x"), get("y")),
                    (get("x") + get("width"), get("y") + get("height")),
                )
            case "circle":
                yield (get("cx") - get("r"), get("cy") - get("r"))
                yield (get("cx") + get("r"), get("cy") + get("r"))
            case "polyline" | "polygon":
                yield from _pairs(element.get("points"))
            case "path":
                yield from _pairs(element.get("d"))
            case "text":
                yield from _text(element, get("x"), get("y"))


def _pairs(text):
    numbers = [float(number) for number in _NUMBER.findall(text)]
    assert len(numbers) % 2 == 0
    return zip(numbers[::2], numbers[1::2], strict=True)


def _text(element, x, y):
    content = element.text or element[-1].tail
    small = {"plot-small", "plot-note"} & set((element.get("class") or "").split())
    wide = extent(content, SMALL if small else SIZE)
    start = {"end": x - wide, "middle": x - wide / 2}.get(element.get("text-anchor"), x)
    return ((start, y - 9), (start + wide, y + 2))


def assert_sound(svg):
    """Check for valid XML, a named and described image, and nothing outside the viewBox."""
    root = parsed(svg)
    assert root.get("role") == "img"
    title, description, drawing = root
    assert (title.tag, description.tag) == (f"{SVG}title", f"{SVG}desc")
    assert description.text
    assert drawing.get("aria-hidden") == "true"
    assert " style=" not in svg
    assert " id=" not in svg
    _, _, width, height = map(float, root.get("viewBox").split())
    for x, y in places(svg):
        assert -0.11 <= x <= width + 0.11, (x, y, width)
        assert -0.11 <= y <= height + 0.11, (x, y, height)
