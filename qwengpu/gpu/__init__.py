"""The machine as a circuit, from the block diagram in `build` down to its units."""
