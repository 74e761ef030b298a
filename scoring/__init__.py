"""Numbers about texts and about what people said of them; plain Python, no Django."""
