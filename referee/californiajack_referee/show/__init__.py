"""Showing things to people, as text and tables. Pure."""
