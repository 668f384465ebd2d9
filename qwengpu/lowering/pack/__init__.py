"""MIR to packed blocks: which operations one EXEC does together."""
