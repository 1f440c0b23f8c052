"""Tables of figures and of rows."""
