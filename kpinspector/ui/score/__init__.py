"""The Why tab: the verdict, its terms, their evidence, and what would change the score."""
