"""Submission: from a bot's folder to a version in the league."""
