"""Items: their kinds, and what the page shows of them."""
