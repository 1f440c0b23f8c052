"""What all panes are made of: controls, marks, icons, tables of figures, rows."""
