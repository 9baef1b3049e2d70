"""The judging study of the Crowd RAG Corpus 2025: its rows, workers, votes and model ratings."""
