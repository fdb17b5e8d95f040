"""Archives, damaged or not: from the name of an input to the items it holds."""
