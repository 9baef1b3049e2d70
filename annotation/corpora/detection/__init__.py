"""What the rows of a file are, and which column is which: the one decision, by names and values.

`kinds.detected` ranks every kind and format with its columns and reasons; `columns` finds them,
`column_words` reads names, `profiles` values.
Door: `kinds`.
"""
