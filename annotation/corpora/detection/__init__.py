"""Detection of the kind of rows and the fields of columns, by names and values.

`kinds.detected` ranks every kind and format with its columns and reasons; `columns` finds them,
`column_words` reads names, `profiles` values.
Door: `kinds`.
"""
