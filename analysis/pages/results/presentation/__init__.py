"""Presentation of each analysis on the pages of results: its tables, sentences and plots.

One file has the `PRESENTATION` of the analysis in the file of the same name in
`analysis.analyses`. Door: `catalogue.presentation_of`.
"""
