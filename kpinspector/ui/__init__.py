"""The window. Panels take values by setters and tell the user's wishes by signals."""
