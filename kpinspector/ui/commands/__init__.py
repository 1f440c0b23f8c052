"""The commands behind the actions."""
