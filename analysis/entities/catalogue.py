"""Every list of what a study is made of, by the name of its addresses."""

from analysis.entities import (
    entries,
    items,
    places,
    responses,
    submissions,
    topics,
    votes,
    workers,
    works,
)

LISTS = {
    each.key: each
    for each in (
        workers.LISTING,
        works.LISTING,
        places.LISTING,
        topics.LISTING,
        items.LISTING,
        responses.LISTING,
        votes.LISTING,
        submissions.LISTING,
        entries.LISTING,
    )
}
