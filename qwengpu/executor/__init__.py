"""A fast executor of stock Qwen3.5 weights: skips exact zeros, shares sums, batches. Needs numba."""
