"""Colours, fonts, icons and the marks that are painted."""
