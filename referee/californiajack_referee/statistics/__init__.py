"""Statistics: from sums of pairs to what they say, and how surely. Pure."""
