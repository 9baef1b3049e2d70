"""Items: their kinds, and what the page shows of them.

Door: `kinds.item_kind`, `keys.item_key` and `unit_of`, `drawing.draw_presentations`,
`contents.slot_names`.
"""
