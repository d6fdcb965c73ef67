"""The league: the folder on disk, its database, and what it keeps."""
