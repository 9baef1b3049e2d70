"""The writer's pages: the draft, what the editor sends, the submission.

Door: `drafting`.
"""
