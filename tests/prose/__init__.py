"""Guards of the words that people read: ruled-out terms, reading level, words a page."""
