"""Lists and pages of the workers, assignments, votes, items, topics and responses of a study.

An address narrows each list, so that a number anywhere can link to exactly what it counts (`{%
counted %}`). Only reads.
"""
