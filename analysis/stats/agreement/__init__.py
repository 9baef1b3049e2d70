"""Agreement of raters.

Door: `alpha.krippendorff_alpha` and `percent_agreement`, `fleiss`, `kappa.cohen_kappa`,
`corrected_agreement`, `part_agreement.compare_parts`, `splits`.
"""
