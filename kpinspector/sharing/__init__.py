"""What would leave the machine: what the SDK cleans, posts and lets others find."""
