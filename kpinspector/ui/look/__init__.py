"""Colours, fonts, icons and painted marks."""
