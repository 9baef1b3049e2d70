"""From votes to labels: majority, MACE, Dawid and Skene."""
