"""The memory, which outlives the program: its file, its rows, its faults."""
