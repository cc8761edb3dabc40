"""One module or package for each topic of vectors, named like its folder in `protocol/vectors`."""
