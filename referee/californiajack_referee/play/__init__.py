"""Play: one pairing of bots at the table, from a single game to a series."""
