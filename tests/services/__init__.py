"""The real services that the tests run against; tests/conftest.py makes fixtures of them."""
