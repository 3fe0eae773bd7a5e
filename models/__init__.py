"""Speech models: the starter model, and the recipe that makes it."""
