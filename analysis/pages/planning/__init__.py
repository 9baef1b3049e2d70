"""Planning page of a draft: workload, cost and statistical power."""
