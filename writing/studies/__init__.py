"""A writing study: its instrument, its tasks, a simulated crowd, the import of a published one.

Door: `designing.create_study` and `write_tasks`, `progress.progress_of`, `simulating.simulate`.
"""
