"""Why: the verdict, its terms, what they rest on, and what would change it."""
