"""Machine judges: models that rate the items of a study.

A judge is made by `setting_up`. Its calls are made by `preparing` (`material` fills `prompts`,
`fields` has the answers), sent by `judging.calls`, read strictly (`answers`, `replies`) and
become judgments (`taking`).
"""
