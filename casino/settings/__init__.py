"""Settings: `env` reads the environment once, `base` is what all share, the others override."""
