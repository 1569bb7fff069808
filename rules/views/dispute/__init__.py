"""The stepper: beginning a dispute, showing it step by step, changing it as its judge, branching, downloading."""
