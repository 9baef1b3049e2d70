"""Order effects, groups, associations, means, cost.

Door: the function of each file: `order_effects.right_hand_share`, `group_means.group_means`,
`paired.paired_family`, `associations.associations`, `means.mean_scores`, `cost`.
"""
