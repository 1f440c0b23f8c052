"""A module for each format: how it is recognised, and how its records become runs."""
