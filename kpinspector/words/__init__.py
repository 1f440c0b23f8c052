"""What is said of a score: figures, sentences, explanations, lists. Knows no Qt."""
