"""Pure algorithms that know nothing of crawls."""
