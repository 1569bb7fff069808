"""All tests, mirroring the code."""
