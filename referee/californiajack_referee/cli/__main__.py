"""`python -m californiajack_referee.cli`: the same as `caljack`."""

from californiajack_referee.cli.entry import main

if __name__ == "__main__":
    main()
