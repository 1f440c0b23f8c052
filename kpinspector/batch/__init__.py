"""Many traces at once: which to contribute and in which order, and which are the same run again."""
