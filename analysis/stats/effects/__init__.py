"""Order effects, groups, associations, means, cost."""
