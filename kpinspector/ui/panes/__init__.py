"""The panes that say something of one trace, or of two side by side."""
