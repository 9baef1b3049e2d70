"""From votes to labels: majority, MACE, Dawid and Skene.

Door: `majority.majority_vote`, `competence.mace`, `dawid_skene.dawid_skene`,
`cross_fitting.cross_fitted_competence`, `start_stability.start_stability`.
"""
