"""From pages to labels: the steps of `discover`."""
