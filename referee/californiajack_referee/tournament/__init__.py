"""Tournaments: what is to be played, and having it played."""
