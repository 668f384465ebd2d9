"""Console scripts; the only place that imports every part, each when it is needed."""
