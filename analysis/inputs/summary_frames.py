"""Structured summaries as frames: what they are made of, and which are degraded copies. Only reads.

| column of `parts` | meaning |
|---|---|
| response, topic | keys |
| line, kind | of the part: overview, section, heading, statement |
| section | the line of the section that it stands in; 0 for none |
| cites | how many documents it cites |
| characters | its length |
"""

import pandas as pd
from django.db.models import Count
from django.db.models.functions import Length

from annotation.models import Corpus, Response, Segment

PARTS = ("response", "topic", "line", "kind", "section", "cites", "characters")
COPIES = ("response", "topic", "copy_of", "without")


def parts(corpus: Corpus) -> pd.DataFrame:
    """One row a part of the originals that were not withdrawn, by response and line."""
    rows = Segment.objects.filter(response__corpus=corpus, response__copy_of=None)
    rows = rows.exclude(response__text="").exclude(kind=Segment.Kind.DOCUMENTS)
    found = pd.DataFrame.from_records(
        rows.annotate(cites=Count("cited"), characters=Length("text"))
        .order_by("response", "line")
        .values_list(
            "response__key", "response__topic__key", "line", "kind", "parent__line", "cites",
            "characters",
        ),
        columns=list(PARTS),
    )  # fmt: skip
    return found.assign(section=found["section"].fillna(0).astype(int))


def copies(corpus: Corpus) -> pd.DataFrame:
    """One row a degraded copy: its key, that of its original, and what it lacks."""
    rows = Response.objects.filter(corpus=corpus).exclude(copy_of=None).order_by("pk")
    return pd.DataFrame.from_records(
        rows.values_list("key", "topic__key", "copy_of__key", "without"), columns=list(COPIES)
    )
