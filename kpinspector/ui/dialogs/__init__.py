"""All that opens in a window of its own."""
