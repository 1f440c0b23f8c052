"""The steps of a trace, and one step with all that it holds."""
