"""The exact statistics in other people's code."""
