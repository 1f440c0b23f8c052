"""What the bundled model is called and how much it sees, for those who do not load it."""

MODEL_NAME = "all-MiniLM-L6-v2"
WINDOW_TOKENS = 512
