"""Rows of a benchmark, printed and kept in benchmarks/RESULTS.md, one section a benchmark.

Running one benchmark again replaces its section alone. A section says on which machine it was
measured, how busy that was, and how fast it computed a fixed loop, as a shared machine is twice as
fast in one hour as in the next; it has no date.
"""

import os
import platform
import re
import time
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
TITLE = """# What we claim about speed, and what was measured

Written by `make bench`. Ours and the peer ran side by side, on the same data, doing the same work;
a time is the least of several runs after a warm-up. A ratio above 1 means that ours is better.
"""
LOOP = 5_000_000  # squares that are added up
HEADS = ("what", "n", "ours", "peer", "ratio", "promised", "holds", "remark")


@dataclass(frozen=True, kw_only=True)
class Row:
    """One thing measured: ours and, where there is one, the peer's figure in the same unit.

    unit: s, MB and ms are better when low, /s and nothing when high. promised: at most or at least
    (`least_ratio`: of the ratio). holds is None where nothing is promised or nothing comparable
    was measured (`void`: the remark says why).
    """

    what: str
    n: str
    ours: float
    unit: str = "s"
    peer: float | None = None
    peer_name: str = ""
    least_ratio: float | None = None
    most: float | None = None
    least: float | None = None
    remark: str = ""
    void: bool = False

    @property
    def ratio(self) -> float | None:
        if self.peer is None:
            return None
        low_is_good = self.unit in ("s", "ms", "MB")
        return self.peer / self.ours if low_is_good else self.ours / self.peer

    @property
    def holds(self) -> bool | None:
        """Whether what is promised is met."""
        kept = []
        if self.most is not None:
            kept.append(self.ours <= self.most)
        if self.least is not None:
            kept.append(self.ours >= self.least)
        if self.least_ratio is not None:
            kept.append(self.ratio is not None and self.ratio >= self.least_ratio)
        return all(kept) if kept and not self.void else None

    @property
    def promised(self) -> str:
        parts = (
            ("at most {}", self.most, self.unit),
            ("at least {}", self.least, self.unit),
            ("ratio at least {}", self.least_ratio, ""),
        )
        return ", ".join(t.format(_figure(x, unit)) for t, x, unit in parts if x is not None)

    def cells(self) -> tuple[str, ...]:
        peer = "" if self.peer is None else f"{_figure(self.peer, self.unit)} {self.peer_name}"
        ratio = "" if self.ratio is None else _figure(self.ratio, "")
        holds = {True: "yes", False: "**no**", None: ""}[self.holds]
        ours = _figure(self.ours, self.unit)
        return (self.what, self.n, ours, peer.strip(), ratio, self.promised, holds, self.remark)


def report(
    name: str, rows: list[Row], *, load: float, notes: tuple[str, ...] = (), kept: bool = True
) -> None:
    """Print the rows and, if `kept`, replace the section of this benchmark in RESULTS.md."""
    text = _section(name, rows, load, notes)
    print(text, flush=True)
    if not kept:
        return
    before = RESULTS.read_text(encoding="utf-8") if RESULTS.exists() else TITLE
    RESULTS.write_text(with_section(before, name, text), encoding="utf-8")


def load_now() -> float:
    """Return the load average of the last minute, before the benchmark adds to it."""
    return os.getloadavg()[0]


def with_section(document: str, name: str, text: str) -> str:
    """Return the document with this section replaced, or appended."""
    _, *parts = re.split(r"^(?=## )", document, flags=re.MULTILINE)
    sections = {part.split("\n", 1)[0]: part.strip() for part in parts}
    sections[f"## {name}"] = text.strip()
    return "\n\n".join([TITLE.strip(), *sections.values()]) + "\n"


def _section(name: str, rows: list[Row], load: float, notes: tuple[str, ...]) -> str:
    table = [HEADS, tuple("---" for _ in HEADS), *(row.cells() for row in rows)]
    lines = ["| " + " | ".join(cells) + " |" for cells in table]
    speed = f"a loop of {LOOP:,} squares took {loop_seconds():.2f} s of CPU"
    about = f"{machine()}; load at the start {load:.1f}; {speed}."
    text = [f"## {name}", about, "\n".join(lines), *notes]
    return "\n\n".join(text) + "\n"


def loop_seconds() -> float:
    """Return the CPU seconds of a loop, by which figures of different hours can be compared."""
    began = time.process_time()
    sum(number * number for number in range(LOOP))
    return time.process_time() - began


def machine() -> str:
    """Facts of the machine that figures depend on."""
    packages = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "pandas"))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{cores} cores, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}, {packages}"
    )


def _figure(value: float, unit: str) -> str:
    """Three digits that count, with the unit."""
    if unit == "s" and abs(value) < 1:
        value, unit = value * 1000, "ms"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2
    text = f"{value:,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return f"{text}{'' if unit.startswith('/') or not unit else ' '}{unit}"
