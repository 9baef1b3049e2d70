"""Export files of a study: their rows, columns, encodings and bundle."""
