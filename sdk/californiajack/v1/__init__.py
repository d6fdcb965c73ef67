"""Generated from proto/californiajack/v1; made by `make proto`, never edited."""
