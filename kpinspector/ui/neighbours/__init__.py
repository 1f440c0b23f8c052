"""The neighbours of a trace, its places in the order, and the steps that make it alike."""
