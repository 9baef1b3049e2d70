"""The pages of what a study is made of: workers, assignments, votes, items, topics, responses.

Each thing has a page, and each kind of thing a list that an address narrows, so that a number
anywhere can lead to exactly what it counts (`{% counted %}`).

Door: `views` for the addresses. Only reads.
"""
