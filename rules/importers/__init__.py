"""How files become elements of the catalogue: one module a layout, and the plan of what an import would change."""
