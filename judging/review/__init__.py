"""How questionnaires were done, and the decision about them.

Door: `examining` keeps the evidence, `active_times.active_times` counts it;
`acting` does what the policy of the study says.
"""
