"""Pages to read: the commands, and the rules of the room."""
