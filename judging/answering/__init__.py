"""A worker answers: the page, the scale, the saved judgment."""
