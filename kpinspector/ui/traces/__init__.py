"""The list of traces, its filter and histogram, and the pages of rows that are no trace."""
