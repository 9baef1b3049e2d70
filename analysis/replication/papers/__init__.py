"""Papers of which the inputs are their own lower tables: Popp et al., Rubric, SGSS.

`reading` reads the tables as printed, `popp`, `rubric` and `sgss` compute what follows from them,
`cells` sets it beside the print with a reason at every difference, `report` shows it.
"""
