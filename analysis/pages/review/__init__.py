"""The queue: all work that was handed in, texts and judgments alike, for those who decide on it.

What is seen in each piece of work (`queued`), in which order (`concern`), how far its answers agree
with others' (`comparing` keeps that), all evidence beside one (`panel`).

Door: `views` for the addresses.
"""
