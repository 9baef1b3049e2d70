"""How sure the result of a draft would be, over votes on a pair: simulated once, then kept."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

import msgspec
from django.core.cache import cache
from django.utils.translation import gettext

from analysis.planning.assumptions import LEAST_SHARE, PUBLISHED, PlanForm
from analysis.planning.pairs import DraftPairs, pairs_of
from analysis.plots.curves import Curve, Point, curves
from analysis.results.figures import Figure, figure
from analysis.stats.bradley_terry.certainty import Assumed, Certainty, PairDesign, certainty
from annotation.drafts.foreseeing import WANTED, Chance, Sureness
from annotation.drafts.kinds import Outline
from annotation.drafts.outlines import digest_of
from annotation.drafts.schema import Document
from annotation.models import Corpus

VOTES = (1, 2, 3, 5, 8, 12)
MOST_VOTES = 30  # a quota above is left out of the curve
LEAST_DRAWS, MOST_DRAWS = 60, 400
DRAWN = 6_000_000  # votes in all, a second or two
KEPT_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class Row:
    """What so many votes on a pair give, and cost with fees."""

    found: Certainty
    questionnaires: int
    cost: float
    planned: bool

    @property
    def says_nothing(self) -> bool:
        """Whether the interval of the votes that the best system wins holds every share."""
        return self.low <= 0 and self.high >= 1

    @property
    def goes_beyond(self) -> bool:
        """Whether it would go beyond what a share can be, so that its ends say more."""
        return self.low < 0 or self.high > 1

    @property
    def low(self) -> float:
        return self.found.share - self.found.half_width

    @property
    def high(self) -> float:
        return self.found.share + self.found.half_width

    @property
    def ends(self) -> tuple[float, float]:
        return max(self.low, 0.0), min(self.high, 1.0)


@dataclass(frozen=True)
class Sure:
    """`enough` is the first row whose chance is WANTED; None where no number of votes here is.
    `differ` is whether the votes have a difference that could be found at all."""

    rows: Sequence[Row]
    pairs: DraftPairs
    enough: Row | None
    differ: bool = True

    @property
    def planned(self) -> Row | None:
        return next((row for row in self.rows if row.planned), None)

    @property
    def others(self) -> list[Row]:
        """What the sentence names beside what is planned: cheaper and enough, or the next more."""
        if self.planned is None:
            return [self.enough or self.rows[-1]]
        if self.enough and self.enough is not self.planned:
            return [self.enough]
        more = [row for row in self.rows if row.found.votes > self.planned.found.votes]
        return more[:1]

    @property
    def says_nothing(self) -> bool:
        """Whether some row does, for which a reason is given."""
        return any(row.says_nothing for row in self.rows)

    @property
    def draws(self) -> int:
        return self.rows[0].found.draws

    @property
    def points(self) -> int:
        """The standard error of a chance of 80 %, in percentage points: where mean / sd is z, that
        of z is sqrt((1 + z^2 / 2) / draws)."""
        return round(62 / math.sqrt(self.draws))


def sureness_of(sure: Sure, *, assuming: PlanForm) -> Sureness:
    """What is kept of it, for the pages that say it and simulate nothing."""

    def chance(row: Row | None) -> Chance | None:
        return None if row is None else Chance(row.found.votes, row.found.apart)

    return Sureness(
        planned=chance(sure.planned),
        enough=chance(sure.enough),
        most=chance(sure.rows[-1]),
        systems=sure.pairs.design.systems,
        topics=sure.pairs.design.topics,
        share=assuming.assumed_share,
        competence=assuming.assumed_competence,
        published=assuming.pilot is PUBLISHED,
    )


def how_sure(
    document: Document, corpus: Corpus, outline: Outline, *, assuming: PlanForm, fee: float
) -> Sure:
    """Raises NoCurve, NothingToTell, BadSetting."""
    pairs = pairs_of(document, corpus, outline)
    quota = outline.places // outline.tasks
    numbers = sorted({*VOTES, quota} if quota <= MOST_VOTES else VOTES)
    found = _kept(
        pairs.design,
        assuming.assumed(ties=pairs.ties),
        numbers,
        seed=document.design.seed,
        digest=digest_of(document, corpus),
    )
    one = float(outline.pay) * (1 + fee)
    rows = [
        Row(each, outline.tasks * each.votes, one * outline.tasks * each.votes, each.votes == quota)
        for each in found
    ]
    enough = next((row for row in rows if row.found.apart >= WANTED), None)
    differ = assuming.assumed_share > LEAST_SHARE and assuming.assumed_competence > 0
    return Sure(rows, pairs, enough, differ)


def _kept(
    design: PairDesign, assumed: Assumed, votes: Sequence[int], *, seed: int, digest: str
) -> list[Certainty]:
    said = (digest, asdict(assumed), votes, seed)
    key = f"certainty:{sha256(msgspec.json.encode(said)).hexdigest()}"
    found: list[Certainty] | None = cache.get(key)
    if found is None:
        draws = DRAWN // (len(design.a) * max(votes))
        draws = min(max(draws, LEAST_DRAWS), MOST_DRAWS)
        found = certainty(design, assumed, votes=votes, draws=draws, seed=seed)
        cache.set(key, found, KEPT_SECONDS)
    return found


def figure_of(sure: Sure) -> Figure:
    """The chance over votes, as a curve. The table beside it has the numbers."""

    def line(label: str, name: str) -> Curve:
        points = [
            Point(row.found.votes, 100 * float(getattr(row.found, name))) for row in sure.rows
        ]
        return Curve(label, points)

    drawn = [
        line(gettext("A clear difference"), "apart"),
        line(gettext("The better one is ahead"), "ahead"),
    ]
    return figure(
        lambda title, width: curves(
            drawn,
            title=title,
            axis=gettext("votes on each pair"),
            height_axis=gettext("chance in %"),
            domain=(0, max(row.found.votes for row in sure.rows)),
            heights=(0, 100),
            width=width,
        ),
        title=gettext("The chance of a clear difference of the best two systems"),
        caption=gettext("A clear difference: the 95 % interval of the difference does not hold 0."),
    )
