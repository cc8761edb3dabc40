"""A second reading of the protocol's specification, which shares nothing with the game's code."""
