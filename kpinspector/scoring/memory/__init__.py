"""The memory that outlives the program: its file, its rows, its faults."""
