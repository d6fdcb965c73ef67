"""Ranking: from results to ratings and standings. Pure."""
