"""Items: their kinds and keys, and their order on a worker's pages."""
