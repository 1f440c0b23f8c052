"""Explanations, comparisons and reports as text, Markdown, HTML, JSON and CSV."""
