"""The lobby: rooms in this network, and the room that one sits in before a match."""
