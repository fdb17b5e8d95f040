"""Documents that are alike a member of known styles: `styles match`."""
