"""What a run found, as pages, figures and tables show it.

Door: `findings` for programs and exports, `found.Found` for pages; `figures.figure` and
`text_curves`, with which analyses draw; `table_files` for the files of a table; `views` for the
addresses.
"""
