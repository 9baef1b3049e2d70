"""Which items, in which questionnaires: drawn, previewed, written.

Door: `designing.create_study`, `plan`, `preview` and `write_design`, with `designers.Parameters`;
`write_items` and `write_questionnaires` for a design that is there already.
"""
