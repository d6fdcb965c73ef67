"""The bot author's workbench: new bots from templates, and what a bot keeps to and what not."""
