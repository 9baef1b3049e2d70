"""Every list of what a study is made of, by the name of its addresses."""

from analysis.entities import items, responses, topics, votes, workers, works

LISTS = {
    each.key: each
    for each in (
        workers.LISTING,
        works.LISTING,
        topics.LISTING,
        items.LISTING,
        responses.LISTING,
        votes.LISTING,
    )
}
