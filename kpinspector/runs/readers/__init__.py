"""A module for each format: what it is recognised by, and what its records say."""
