"""What the window is made of: its bars, its panes in their places, the score panel."""
