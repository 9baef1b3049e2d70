"""The judging study of the Crowd RAG Corpus 2025.

Door: `importing.import_judging_study`; `rows` for what stands in its files.
"""
