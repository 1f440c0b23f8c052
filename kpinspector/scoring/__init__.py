"""A trace to a report: embedder, memory, four dimensions, overrides, verdict. Knows no Qt."""
