"""The referee and the tournament of California Jack: the platform behind `caljack`."""
