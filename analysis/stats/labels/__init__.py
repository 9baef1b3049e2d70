"""Labels from votes: majority, MACE, Dawid and Skene."""
