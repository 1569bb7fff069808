"""Forces: what may be on one, one function a rule."""
