"""The end of a round: racks, scores, how they came about, and what comes next."""
