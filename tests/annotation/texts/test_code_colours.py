"""Colours of code have the contrast of WCAG AA on their ground, light and dark."""

import re
from itertools import count
from types import SimpleNamespace

import pytest
from django.conf import settings

from annotation.texts.markdown import code

CSS = settings.BASE_DIR / "static" / "css"
DARK = re.compile(r"@media screen and \(prefers-color-scheme: dark\) \{(.*?)\n\}", re.DOTALL)


def colours(css):
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", css))


def luminance(colour):
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_colour_of_code_can_be_read(scheme):
    tokens = (CSS / "tokens.css").read_text()
    dark = DARK.search(tokens)[1]
    palette = colours(DARK.sub("", tokens)) | (colours(dark) if scheme == "dark" else {})
    rules = re.findall(r"(\.hl-[^{]*|:is\(\.hl-[^{]*|\.image-away) \{([^}]*)\}", _texts())
    used = {
        name for _, rule in rules for name in re.findall(r"[^-]color: var\(--([a-z-]+)\)", rule)
    }
    assert len(used) >= 5
    for name in used:
        assert contrast(palette[name], palette["sunken"]) >= 4.5, (scheme, name)


def _texts():
    return (CSS / "texts.css").read_text()


@pytest.mark.parametrize(("clock", "is_coloured"), [("monotonic", True), ("thread_time", False)])
def test_code_is_coloured_however_long_others_use_the_processor(monkeypatch, clock, is_coloured):
    clocks = {"monotonic": lambda: 0.0, "thread_time": lambda: 0.0, clock: count().__next__}
    monkeypatch.setattr(code, "time", SimpleNamespace(**clocks))
    assert ("hl-" in code.highlighted("return 'salt'", "python")) == is_coloured
