"""The formats of tournaments: from what has been played to what is to be played next. Pure."""
