"""What is remembered between runs: the file, its rows, its faults."""
