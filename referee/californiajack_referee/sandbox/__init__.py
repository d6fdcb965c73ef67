"""What stands between a bot and the machine: limits, a bubblewrap sandbox, and the sweep after."""
