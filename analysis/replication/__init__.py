"""The tables and figures of Gienapp et al. (SIGIR 2025), computed again from their corpus.

Door: `parts` (what is computed on its own), `report.report`, `summary.summary`,
`tables_file.tables_json`.
"""
