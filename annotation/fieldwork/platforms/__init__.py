"""Recruitment platforms: outcomes, completion codes, calls, the client of Prolific and its fake.

`completion.PLATFORMS` has the codes and return addresses of each platform, `calls` the calls to its
API. `fake_prolific` stands in for Prolific in tests, the demo and trials.
"""
