"""Many traces at once: which to contribute, in which order, and which are near-duplicates."""
