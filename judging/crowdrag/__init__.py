"""The judging study of the Crowd RAG Corpus 2025."""
