"""What is seen. Panels take values by setters and give wishes by signals."""
