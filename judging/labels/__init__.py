"""Labels that were given elsewhere: read from files, imported, removed."""
