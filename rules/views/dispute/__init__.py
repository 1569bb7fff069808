"""The stepper: a dispute begun, shown step by step, changed by its judge, branched, taken away."""
