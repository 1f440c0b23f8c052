"""What is open, what runs, what is remembered. Of Qt it knows ``QtCore`` only."""
