"""The parts of the window: its start page, its bars, its panes in their places, the score panel."""
