"""How questionnaires were done, and the decision about them.

Door: `examining` keeps the evidence, `redoing` what was answered before a redo,
`active_times.active_times` counts the time;
`acting` does what the policy of the study says.
"""
