"""Each way of running a kernel, behind the contract of `oracles.api`."""
