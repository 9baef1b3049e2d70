"""What the packages of other systems read from our files. These modules run in environments of
their own, import nothing of ours, and print JSON."""
