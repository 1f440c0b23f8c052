"""Two traces side by side."""
