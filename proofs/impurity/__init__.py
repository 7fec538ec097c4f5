"""Impurities: concave, zero at pure nodes, largest at equal shares, and the least risks of losses."""
