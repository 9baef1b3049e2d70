"""Comparison of everything that a pure refactoring must leave byte-equal.

python -m benchmarks.unchanged take BEFORE               # on the old code
python -m benchmarks.unchanged take AFTER --like BEFORE  # on the new code
python -m benchmarks.unchanged compare BEFORE AFTER      # exits with 1 on a difference

Addresses, commands, tables and app labels are used and no modules of the product, so that the same
script runs before and after modules move. `--like` takes the demo world of BEFORE, with its clock:
random keys and moments are the same, and an old run has to be found again.
"""
