"""RAGElo (Rackauckas, Câmara and Zavrel 2024): ratings and win matrix from published games.

`reading` reads the games as the package writes them, `tables` computes, `report` shows.
"""
