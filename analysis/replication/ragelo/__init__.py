"""RAGElo (Rackauckas, Câmara and Zavrel 2024): ratings and win matrix from published games."""
