"""The parts of the window: start page, bars, the layout of the panes, and the score panel."""
