"""Which items, in which questionnaires: drawn, previewed, written.

Door: `designing.create_study` and `write_plans`, `plans.plans_of`, `previews.preview`;
`write_items` and `write_questionnaires` for a design that is there already.
"""
