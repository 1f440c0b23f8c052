"""All texts about a score: figures, sentences, explanations, lists. Knows no Qt."""
