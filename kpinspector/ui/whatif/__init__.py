"""What if: what is tried of a trace, and what comes of it."""
