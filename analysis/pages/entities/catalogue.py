"""Lists of a study, by the name in their address."""

from analysis.pages.entities import (
    assignments,
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
)

LISTS = {
    each.key: each
    for each in (
        workers.LISTING,
        assignments.LISTING,
        tasks.LISTING,
        places.LISTING,
        topics.LISTING,
        items.LISTING,
        responses.LISTING,
        votes.LISTING,
        comments.LISTING,
        comments.REASONS,
        comments.FORMS,
        submissions.LISTING,
        calls.LISTING,
        entries.LISTING,
    )
}
