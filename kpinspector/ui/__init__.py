"""The window. Panes take values by setters, and emit what the user wishes by signals."""
