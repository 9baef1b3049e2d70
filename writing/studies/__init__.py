"""A writing study: its instrument, its tasks, a simulated crowd, the import of a published one.

Door: `topics.draw_topics`, `designing.create_study`, `write_onboarding` and `write_tasks`,
`progress.progress_of`, `simulating.simulate`, `crowdrag_importing.import_writing_study`.
"""
