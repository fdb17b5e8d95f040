"""From known pages to others of the same style: `styles spread`."""
