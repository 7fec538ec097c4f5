"""What a split gains: a loss behind every gain, the pairwise gain and its relations to other criteria."""
