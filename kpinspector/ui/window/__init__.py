"""The parts of the window: its bars, the layout of its panes, the score panel."""
