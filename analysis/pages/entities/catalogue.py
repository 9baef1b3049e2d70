"""Lists of a study, by the name in their address."""

from analysis.pages.entities import (
    calls,
    comments,
    entries,
    items,
    places,
    responses,
    submissions,
    tasks,
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
        tasks.LISTING,
        places.LISTING,
        topics.LISTING,
        items.LISTING,
        responses.LISTING,
        votes.LISTING,
        comments.LISTING,
        submissions.LISTING,
        calls.LISTING,
        entries.LISTING,
    )
}
